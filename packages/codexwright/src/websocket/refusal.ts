import { withoutSecrets } from "../redact/quoted.ts";
import { AuthFailedError, ConnectionClosedError, type CodexError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** How much of a refusal's text is kept. */
const MOST = 200;

/** The error for a server that answered the request to upgrade with anything but a websocket. */
export function refusal(peer: string, status: number, body: string, token: string | undefined): CodexError {
  // A server that quotes the token must not bring it into a log.
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
  return unreachable(peer, `it answered HTTP ${status}, which is no websocket${said}`, undefined);
}

/** The error for a server that could not be connected to, which may be because this process has no descriptors left. */
export function unreachable(peer: string, why: string, cause: unknown): CodexError {
  const exhausted = resourceExhausted(`connecting to ${peer}`, cause);
  if (exhausted) return exhausted;
  const reason = { message: `could not connect to ${peer}: ${why}`, ...(cause !== undefined && { cause }) };
  return new ConnectionClosedError(reason, "notSent");
}
