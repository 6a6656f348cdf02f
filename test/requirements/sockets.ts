import type { Requirement } from "./requirement.ts";

/** Websockets and unix sockets, from both ends. */
export const SOCKETS = [
  {
    id: "sockets.websocket",
    source: "issue 5 2",
    statement: "websocket(url) speaks to a server on a websocket: text frames of one message, uncompressed.",
  },
  {
    id: "sockets.unix",
    source: "issue 5 2",
    statement: "unixSocket(path) speaks to a server on a unix socket.",
  },
  {
    id: "sockets.auth",
    source: "issue 5 2",
    statement:
      "A refused token is auth_failed with the server's words; a server that is not there is connection_closed.",
  },
  {
    id: "sockets.token",
    source: "issue 5 2",
    statement: "A token is never sent over ws:// to another machine, and is in no URL, error or log.",
  },
  {
    id: "sockets.reconnect",
    source: "issue 5 2",
    statement: "A client that was cut off and came back ends with the state of one that was not.",
  },
  {
    id: "server.listen",
    source: "issue 5 1",
    statement: "listen() serves an endpoint on stdio, on a websocket and on a unix socket.",
  },
  {
    id: "server.auth",
    source: "issue 5 1",
    statement:
      "Clients are checked before they are connected, with the real server's status codes and texts.",
  },
  {
    id: "server.origin",
    source: "issue 5 1",
    statement: "A request with an Origin is refused with 403 unless it is in allowedOrigins.",
  },
  {
    id: "server.health",
    source: "issue 5 1",
    statement: "/readyz and /healthz answer without a token.",
  },
  {
    id: "server.limits",
    source: "issue 5 1",
    statement:
      "Oversized, flooding, slow and dead clients are cut off, and others beside them notice nothing.",
  },
  {
    id: "browser.turn",
    source: "issue 5",
    statement: "A page runs a turn with an approval through the client and the server of this library.",
  },
  {
    id: "browser.origin",
    source: "issue 5",
    statement: "Pages of origins that were not allowed are refused.",
  },
] as const satisfies readonly Requirement[];
