import { withoutSecrets } from "../redact/quoted.ts";
import { AuthFailedError, ConnectionClosedError, type CodexError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** The maximum length of the text that is quoted from the server's answer. */
const MOST = 200;

/** The error for a server that did not accept the upgrade to a websocket. */
export function refusal(peer: string, status: number, body: string, token: string | undefined): CodexError {
  // The server may quote the token, which must not reach a log.
  const text = withoutSecrets(body, token === undefined ? [] : [token])
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MOST);
  const said = text ? `: ${text}` : "";
  if (status === 401 || status === 403) {
    return new AuthFailedError(`${peer} refused the connection with HTTP ${status}${said}`, {
      httpStatus: status,
    });
  }
  return unreachable(peer, `it answered with HTTP ${status} instead of a websocket${said}`, undefined);
}

/** The error for a failed connection. The cause may be that this process has no file descriptors left. */
export function unreachable(peer: string, why: string, cause: unknown): CodexError {
  const exhausted = resourceExhausted(`connecting to ${peer}`, cause);
  if (exhausted) return exhausted;
  const reason = { message: `could not connect to ${peer}: ${why}`, ...(cause !== undefined && { cause }) };
  return new ConnectionClosedError(reason, "notSent");
}
