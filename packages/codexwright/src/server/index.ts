export * from "../endpoint/index.ts";
export { ListenError } from "./errors.ts";
export { listen, type ListenOptions } from "./listen.ts";
export type { Listener } from "./listener.ts";
