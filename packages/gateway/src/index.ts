export { Gateway, type GatewayOptions } from "./gateway.ts";
