import type { Requirement } from "./requirement.ts";

/** A server in front of another one: what it needs of the endpoint and the listener, and what `serve` makes of it. */
export const SERVE = [
  {
    id: "endpoint.one",
    statement: "A server can ask one client alone; it is told at once when that one leaves.",
  },
  {
    id: "endpoint.failures",
    statement:
      "An error of one client does not answer for others that were asked; only when all failed it counts.",
  },
  {
    id: "endpoint.fallback",
    statement: "An endpoint can pass on methods and notifications that this library does not know.",
  },
  {
    id: "server.capacity",
    statement: "The number of connections and the time to shake hands can be limited.",
  },
  {
    id: "server.socket-file",
    statement: "A listener removes its own socket file, and not one that another server put in its place.",
  },
  {
    id: "cli.serve.owners",
    statement:
      "`serve` asks the client whose tools and tokens they are; where it is gone, the app-server is told at once.",
  },
  {
    id: "cli.serve.unknown",
    statement: "Methods that codexwright does not know pass `serve` both ways.",
  },
  {
    id: "cli.serve.agents",
    statement: "Clients of `serve` hear what an agent says before its parent has named it.",
  },
  {
    id: "cli.serve.fair",
    statement: "A client of `serve` that floods or does not read holds up nobody, and memory stays bounded.",
  },
  {
    id: "cli.serve.pace",
    statement:
      "Keeping the order of what the app-server says costs each line the same, however many lines wait.",
  },
] as const satisfies readonly Requirement[];
