import type { Requirement } from "./requirement.ts";

export const VERSIONS = [
  {
    id: "versions.turn",
    source: "CHECKLIST-003-004 23",
    statement: "The same calling code runs turns, steers and resumes from 0.98.0 to the newest server.",
  },
  {
    id: "versions.approval",
    source: "CHECKLIST-003-004 23",
    statement: "Approvals are asked and answered alike on every version.",
  },
  {
    id: "versions.unsupported",
    source: "protocol.md 1.1",
    statement: "What an older server would silently ignore is refused as `unsupported`.",
  },
  {
    id: "versions.smoke",
    source: "CHECKLIST-003-004 21",
    statement: "Every method of the schema is answered, with a result or a typed error.",
  },
] as const satisfies readonly Requirement[];
