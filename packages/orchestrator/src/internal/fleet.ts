export { secretVariables } from "../fleet/secrets.ts";
export { FleetCore } from "../fleet/core.ts";
export { requireNode } from "../fleet/node.ts";
export type { FleetOptions } from "../fleet/options.ts";
export { SYSTEM_PARTS, type FleetParts } from "../fleet/parts.ts";
export { changesOf, keepChanges } from "../fleet/changes.ts";
