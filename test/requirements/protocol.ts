import type { Requirement } from "./requirement.ts";

export const PROTOCOL = [
  {
    id: "protocol.maps",
    statement: "Every method of the schema has typed params and result in one of four maps.",
  },
  {
    id: "protocol.table",
    statement:
      "A table tells each method's stability and the first Codex version that had it and each of its params fields.",
  },
  {
    id: "protocol.traits",
    statement:
      "A table tells how each method waits, what it starts and ends, whose ids it carries and to whom it goes; methods that are not in the schema have documented defaults.",
  },
  {
    id: "protocol.responses",
    statement: "No method has an unresolved response type.",
  },
  {
    id: "protocol.open-unions",
    statement: "Unions the server may extend are open, and narrowing by literal works on them.",
  },
  {
    id: "protocol.drift",
    statement: "The generated files are what the pinned binary generates.",
  },
  {
    id: "spec-003.examples",
    statement:
      "Every request that the app-server's README shows is answered by 0.166.0 in the documented shape, and its notifications come, except where a table lists how the server deviates.",
  },
] as const satisfies readonly Requirement[];
