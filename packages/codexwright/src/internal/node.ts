// The part of `codexwright/internal` that needs Node.
export { HeldFolder } from "../system/held-folder.ts";
export { limited, limitedSync } from "../system/limited.ts";
export { removeTree } from "../system/remove-tree.ts";

type StartCodex = typeof import("../transports/launch.ts").startCodex;

/** Loaded when it is called, because an app-server of our own uses this module and starts no Codex. */
export const startCodex: StartCodex = async (...args) =>
  await (await import("../transports/launch.ts")).startCodex(...args);
