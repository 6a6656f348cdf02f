export { bubblewrap, type BubblewrapOptions } from "./bubblewrap.ts";
export { ownCode } from "./own-code.ts";
