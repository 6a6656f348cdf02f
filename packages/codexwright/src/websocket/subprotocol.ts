import { InvalidArgumentError } from "../rpc/errors.ts";

/** What a browser offers beside its token, and the server selects, so that the token is not sent back. */
export const SUBPROTOCOL = "codexwright";

const BEARER = `${SUBPROTOCOL}.bearer.`;

/** A browser cannot set headers: its token goes among the subprotocols it offers. */
export function bearerProtocols(token: string): string[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(token)) {
    throw new InvalidArgumentError(
      "token must be of letters, digits and !#$%&'*+-.^_`|~ to be sent by a browser",
    );
  }
  return [SUBPROTOCOL, `${BEARER}${token}`];
}

/** The token among the subprotocols a client offers, if there is one. */
export function tokenOfProtocols(offered: readonly string[]): string | undefined {
  const found = offered.find((each) => each.startsWith(BEARER) && each.length > BEARER.length);
  return found?.slice(BEARER.length);
}
