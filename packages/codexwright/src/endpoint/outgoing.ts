import { ResponseError } from "../rpc/errors.ts";
import { jsonText } from "../rpc/json.ts";

/** Lines with their keys in the real server's order. */
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

/** Servers before 0.145 do not stamp. */
export function notificationLine(method: string, params: unknown, emittedAtMs: number | undefined): string {
  const stamp = emittedAtMs === undefined ? "" : `,"emittedAtMs":${emittedAtMs}`;
  return `{"method":${JSON.stringify(method)},"params":${jsonText(params)}${stamp}}`;
}

/** The error almost everything is refused with. */
export function invalidRequest(message: string): ResponseError {
  return new ResponseError(-32600, message);
}

/** Refused before anything was done. The real server sends no `data` with it. */
export function overloaded(): ResponseError {
  return new ResponseError(-32001, "Server overloaded; retry later.");
}
