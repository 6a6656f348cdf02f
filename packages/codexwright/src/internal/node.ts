// The part of `codexwright/internal` that needs Node.
import type { startCodex as StartCodex } from "../transports/launch.ts";

export { absoluteEntries } from "../system/find-program.ts";
export { HeldFolder, NO_LINKS } from "../system/held-folder.ts";
export { limited, limitedSync } from "../system/limited.ts";
export { removeTree } from "../system/remove-tree.ts";
export { startProcess } from "../system/start-process.ts";
export { Guard } from "../transports/guard.ts";

/** Loaded when it is called, because an app-server of our own uses this module and starts no Codex. */
export const startCodex: typeof StartCodex = async (...args) =>
  await (await import("../transports/launch.ts")).startCodex(...args);
