// What the other packages of this project share with the library. They are released together, with the same exact
// version; nothing here is promised to anyone else, and a release may change any of it.
export { requestTraits } from "../protocol/traits/client-requests.ts";
export { laneOf } from "../protocol/traits/lane-of.ts";
export { notificationTraits } from "../protocol/traits/notifications.ts";
export { serverRequestTraits } from "../protocol/traits/server-requests.ts";
export { Lanes } from "../endpoint/lanes.ts";
export { pause } from "../rpc/delay.ts";
export { isJsonObject } from "../rpc/json.ts";
export { offAbort, onAbort } from "../rpc/on-abort.ts";
export { nearestName } from "../rpc/options/nearest.ts";
export { shown } from "../rpc/options/shown.ts";
export { checkOptions, needed, shape, type Table, Variant } from "../rpc/options/table.ts";
export { resourceExhausted } from "../rpc/resource-exhausted.ts";
