// Shared with the other packages of this project, which are released together with the same exact version. This is not
// public API: any release may change it.
export { requestTraits } from "../protocol/traits/client-requests.ts";
export { laneOf } from "../protocol/traits/lane-of.ts";
export { notificationTraits } from "../protocol/traits/notifications.ts";
export { serverRequestTraits } from "../protocol/traits/server-requests.ts";
export { Lanes } from "../endpoint/lanes.ts";
export { pause } from "../rpc/delay.ts";

export { ToolBox } from "../tools/tool-calls.ts";
export { toolSpecs } from "../tools/tool-spec.ts";
export { isDeeperThan, isJsonObject } from "../rpc/json.ts";
export { offAbort, onAbort } from "../rpc/on-abort.ts";
export { loadOptional } from "../rpc/optional-dependency.ts";
export { nearestName } from "../rpc/options/nearest.ts";
export { shown } from "../rpc/options/shown.ts";
export { checkOptions, needed, shape, type Table, Variant } from "../rpc/options/table.ts";
export { isDeepText } from "../rpc/values.ts";
export { resourceExhausted } from "../rpc/resource-exhausted.ts";
