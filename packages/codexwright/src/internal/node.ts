// The part of `codexwright/internal` that needs Node.
export { limited, limitedSync } from "../system/limited.ts";
export { removeTree } from "../system/remove-tree.ts";
export { startCodex } from "../transports/launch.ts";
