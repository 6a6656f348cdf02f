import type { Requirement } from "./requirement.ts";

/** Faults that are done to a real server; each leaves nothing behind. */
export const FAULT_DRILLS = [
  {
    id: "drill.kill",
    statement: "kill -9 of the server ends a turn with a typed error, or recovers.",
  },
  { id: "drill.stop", statement: "A server that is stopped runs into our limits, and is ended." },
  { id: "drill.stdout-closed", statement: "A server whose stdout closes is lost and ended." },
  { id: "drill.stdin-closed", statement: "A server whose stdin ends is lost with its exit code." },
  {
    id: "drill.broken-pipe",
    statement: "EPIPE ends the connection, also when an answer is written.",
  },
  {
    id: "drill.disk-full",
    statement: "With a full disk turns run on, and a start fails with the reason.",
  },
  {
    id: "drill.model-unreachable",
    statement: "A model that cannot be reached ends the turn in its time.",
  },
  { id: "drill.model-slow", statement: "A slow model is waited for, a silent one is not." },
  { id: "drill.overload", statement: "No request is lost to overload below the cap." },
  { id: "drill.clock-jump", statement: "A clock that jumps changes no limit." },
  { id: "drill.approvals", statement: "Of thousands of approvals each is asked once and obeyed." },
  {
    id: "drill.crashes",
    statement: "Crash after crash nothing grows, and a crash loop is given up.",
  },
  {
    id: "drill.socket-cut",
    statement: "Cut at any byte, a client knows in the end what one knows that was not.",
  },
  { id: "drill.two-clients", statement: "Two clients on one thread do not disturb each other." },
  {
    id: "drill.parent-killed",
    statement: "When we are killed, no server and nothing in its sandbox lives on.",
  },
  {
    id: "drill.orphans",
    statement:
      "Kills of the server, its owner, both, or its guard and then the others leave nothing, at any moment from the first command on.",
  },
] as const satisfies readonly Requirement[];
