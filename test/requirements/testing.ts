import type { Requirement } from "./requirement.ts";

export const TESTING = [
  {
    id: "testing.scripted-model",
    statement: "A scripted model plays the Responses API on loopback and shows the requests it got.",
  },
  {
    id: "testing.real-app-server",
    statement: "The real server runs offline in an isolated home that disposal removes.",
  },
] as const satisfies readonly Requirement[];
