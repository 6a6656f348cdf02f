import { RpcError } from "../../../rpc/errors.ts";
import type { Connection } from "../../../rpc/connection.ts";

/** A method that no server has. The server's refusal lists the methods that it does have. */
const PROBE = "codexwright/methods";
/** A server that does not answer this probe must not delay the connect. */
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
