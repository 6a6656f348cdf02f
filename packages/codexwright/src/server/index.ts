export * from "../endpoint/index.ts";
export type { ListenAuth } from "./auth.ts";
export { ListenError } from "./errors.ts";
export { listen, type Acceptor, type ListenOptions } from "./listen.ts";
export type { Listener } from "./listener.ts";
