import { RpcError } from "../../../rpc/errors.ts";
import type { Connection } from "../../../rpc/connection.ts";

/** No server has this method: the refusal lists those it has. */
const PROBE = "codexwright/methods";
/** A server that lists nothing must not hold up the start. */
const PROBE_MS = 500;

/**
 * The methods a server has, by its own list, which it gives when asked for one it does not know. `undefined`
 * where it does not tell.
 */
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
