import { RpcError } from "../../../rpc/errors.ts";
import type { Connection } from "../../../rpc/connection.ts";

/** No server has this method. The refusal lists the methods that the server has. */
const PROBE = "codexwright/methods";
/** A server that does not answer must not delay the start. */
const PROBE_MS = 500;

/** The methods that the server lists when it refuses an unknown one; `undefined` if it does not list them. */
export async function listMethods(connection: Connection): Promise<ReadonlySet<string> | undefined> {
  try {
    await connection.request(PROBE, {}, { timeoutMs: PROBE_MS });
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) return undefined;
    const [, list] = /expected one of (.*)$/s.exec(error.message) ?? [];
    if (list === undefined) return undefined;
    return new Set([...list.matchAll(/`([^`]+)`/g)].map(([, method = ""]) => method));
  }
}
