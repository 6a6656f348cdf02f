// The part of `codexwright/internal` that needs Node.
export { HeldFolder } from "../system/held-folder.ts";
export { limited, limitedSync } from "../system/limited.ts";
export { removeTree } from "../system/remove-tree.ts";
export { startCodex } from "../transports/launch.ts";
