import type { Requirement } from "./requirement.ts";

/** A server in front of another one: what it needs of the endpoint and the listener, and what `serve` makes of it. */
export const SERVE = [
  {
    id: "endpoint.one",
    source: "issue 7 5",
    statement: "A server can ask one client alone; it is told at once when that one leaves.",
  },
  {
    id: "endpoint.failures",
    source: "issue 7 5",
    statement:
      "An error of one client does not answer for others that were asked; only when all failed it counts.",
  },
  {
    id: "endpoint.fallback",
    source: "issue 7 5",
    statement: "An endpoint can pass on methods and notifications that this library does not know.",
  },
  {
    id: "server.capacity",
    source: "issue 7 5",
    statement: "The number of connections and the time to shake hands can be limited.",
  },
  {
    id: "server.socket-file",
    source: "issue 7 5",
    statement: "A listener removes its own socket file, and not one that another server put in its place.",
  },
] as const satisfies readonly Requirement[];
