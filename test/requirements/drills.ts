import type { Requirement } from "./requirement.ts";

const source = "issue 8";

/** Faults that are done to a real server; each leaves nothing behind. */
export const FAULT_DRILLS = [
  {
    id: "drill.kill",
    source,
    statement: "kill -9 of the server ends a turn with a typed error, or recovers.",
  },
  { id: "drill.stop", source, statement: "A server that is stopped runs into our limits, and is ended." },
  { id: "drill.stdout-closed", source, statement: "A server whose stdout closes is lost and ended." },
  { id: "drill.stdin-closed", source, statement: "A server whose stdin ends is lost with its exit code." },
  {
    id: "drill.broken-pipe",
    source,
    statement: "EPIPE ends the connection, also when an answer is written.",
  },
  {
    id: "drill.disk-full",
    source,
    statement: "With a full disk turns run on, and a start fails with the reason.",
  },
  {
    id: "drill.model-unreachable",
    source,
    statement: "A model that cannot be reached ends the turn in its time.",
  },
  { id: "drill.model-slow", source, statement: "A slow model is waited for, a silent one is not." },
  { id: "drill.overload", source, statement: "No request is lost to overload below the cap." },
  { id: "drill.clock-jump", source, statement: "A clock that jumps changes no limit." },
  { id: "drill.approvals", source, statement: "Of thousands of approvals each is asked once and obeyed." },
  {
    id: "drill.crashes",
    source,
    statement: "Crash after crash nothing grows, and a crash loop is given up.",
  },
  {
    id: "drill.socket-cut",
    source,
    statement: "Cut at any byte, a client knows in the end what one knows that was not.",
  },
  { id: "drill.two-clients", source, statement: "Two clients on one thread do not disturb each other." },
  {
    id: "drill.parent-killed",
    source,
    statement: "When we are killed, no server and nothing in its sandbox lives on.",
  },
  {
    id: "drill.orphans",
    source: "attacks",
    statement:
      "Kills of the server, its owner, both, or its guard and then the others leave nothing, at any moment from the first command on.",
  },
] as const satisfies readonly Requirement[];
