import type { Requirement } from "./requirement.ts";

export const RECOVERY = [
  {
    id: "recovery.resume",
    statement:
      "With `reconnect` a lost server is replaced, open threads are resumed, a running turn is `recovered`.",
  },
  {
    id: "recovery.crash-loop",
    statement: "A server that is lost again and again ends in `crash_loop`.",
  },
  {
    id: "recovery.tokens",
    statement: "A new server is logged in with the tokens that the lost one had from the caller.",
  },
  {
    id: "recovery.fence",
    statement: "Nothing of an old server's process reaches the client after the loss.",
  },
  {
    id: "recovery.orphans",
    statement: "When our own process is killed, no app-server and no child of it lives on.",
  },
] as const satisfies readonly Requirement[];
