export { requestTraits } from "./client-requests.ts";
export { notificationTraits } from "./notifications.ts";
export { serverRequestTraits } from "./server-requests.ts";
export type { NotificationTraits, RequestTraits, Scope, ServerRequestTraits, SharedLane } from "./types.ts";
