import { ResponseError } from "../rpc/errors.ts";
import { jsonText } from "../rpc/json.ts";

/** Serializes messages with their keys in the order of the real server. */
export function resultLine(idText: string, result: unknown): string {
  return `{"id":${idText},"result":${jsonText(result)}}`;
}

export function errorLine(idText: string, error: ResponseError): string {
  const { rpcCode: code, data, message } = error;
  return `{"error":${JSON.stringify({ code, data, message })},"id":${idText}}`;
}

export function requestLine(id: number, method: string, params: unknown): string {
  return `{"method":${JSON.stringify(method)},"id":${id},"params":${jsonText(params)}}`;
}

/** Server versions before 0.145 send no `emittedAtMs`. */
export function notificationLine(method: string, params: unknown, emittedAtMs: number | undefined): string {
  const stamp = emittedAtMs === undefined ? "" : `,"emittedAtMs":${emittedAtMs}`;
  return `{"method":${JSON.stringify(method)},"params":${jsonText(params)}${stamp}}`;
}

/** The error for almost all rejections. */
export function invalidRequest(message: string): ResponseError {
  return new ResponseError(-32600, message);
}

/**
 * The error for a request that is rejected before any work was done. The real server sends no `data` with this error.
 */
export function overloaded(): ResponseError {
  return new ResponseError(-32001, "Server overloaded; retry later.");
}
