import { InvalidArgumentError } from "../rpc/errors.ts";

/**
 * A browser offers this subprotocol in addition to its token. The server selects this one, so that the token is not
 * sent back.
 */
export const SUBPROTOCOL = "codexwright";

const BEARER = `${SUBPROTOCOL}.bearer.`;

/** Returns the subprotocols to offer. A browser cannot set headers, so it sends its token as a subprotocol. */
export function bearerProtocols(token: string): string[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(token)) {
    throw new InvalidArgumentError(
      "token may only contain letters, digits and !#$%&'*+-.^_`|~ if a browser sends it",
    );
  }
  return [SUBPROTOCOL, `${BEARER}${token}`];
}

/** The token among the offered subprotocols, if there is one. */
export function tokenOfProtocols(offered: readonly string[]): string | undefined {
  const found = offered.find((each) => each.startsWith(BEARER) && each.length > BEARER.length);
  return found?.slice(BEARER.length);
}
