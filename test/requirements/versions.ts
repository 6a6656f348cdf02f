import type { Requirement } from "./requirement.ts";

export const VERSIONS = [
  {
    id: "versions.turn",
    statement: "The same calling code runs turns, steers and resumes from 0.98.0 to the newest server.",
  },
  {
    id: "versions.approval",
    statement: "Approvals are asked and answered alike on every version.",
  },
  {
    id: "versions.unsupported",
    statement: "What an older server would silently ignore is refused as `unsupported`.",
  },
  {
    id: "versions.conformance",
    statement:
      "Every scenario holds on Codex 0.98.0, 0.120.0, 0.145.0, 0.155.0 and 0.166.0, within its bounds.",
  },
  {
    id: "versions.bounds",
    statement: "A scenario that its bounds keep from one of these versions fails there.",
  },
  {
    id: "versions.guide",
    statement:
      "The guide names what differs between versions, each with a scenario whose bounds are those it names.",
  },
  {
    id: "versions.smoke",
    statement: "Every method of the schema is answered, with a result or a typed error.",
  },
] as const satisfies readonly Requirement[];
