export { websocket, type WebSocketOptions } from "./websocket.ts";
