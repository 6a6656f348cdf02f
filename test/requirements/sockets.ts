import type { Requirement } from "./requirement.ts";

/** Websockets and unix sockets, from both ends. */
export const SOCKETS = [
  {
    id: "sockets.websocket",
    statement: "websocket(url) speaks to a server on a websocket: text frames of one message, uncompressed.",
  },
  {
    id: "sockets.unix",
    statement: "unixSocket(path) speaks to a server on a unix socket.",
  },
  {
    id: "sockets.auth",
    statement:
      "A refused token is auth_failed with the server's words; a server that is not there is connection_closed.",
  },
  {
    id: "sockets.token",
    statement: "A token is never sent over ws:// to another machine, and is in no URL, error or log.",
  },
  {
    id: "sockets.reconnect",
    statement: "A client that was cut off and came back ends with the state of one that was not.",
  },
  {
    id: "server.listen",
    statement: "listen() serves an endpoint on stdio, on a websocket and on a unix socket.",
  },
  {
    id: "server.auth",
    statement:
      "Clients are checked before they are connected, with the real server's status codes and texts.",
  },
  {
    id: "server.origin",
    statement: "A request with an Origin is refused with 403 unless it is in allowedOrigins.",
  },
  {
    id: "server.health",
    statement: "/readyz and /healthz answer without a token.",
  },
  {
    id: "server.limits",
    statement:
      "Oversized, flooding, slow and dead clients are cut off, and others beside them notice nothing.",
  },
  {
    id: "browser.turn",
    statement: "A page runs a turn with an approval through the client and the server of this library.",
  },
  {
    id: "browser.origin",
    statement: "Pages of origins that were not allowed are refused.",
  },
] as const satisfies readonly Requirement[];
