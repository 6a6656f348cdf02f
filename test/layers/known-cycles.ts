export interface KnownCycle {
  readonly in: string;
  /** The files or rooms of that folder that are part of the cycle. */
  readonly parts: readonly string[];
  readonly why: string;
}

const CHECKED = "a check is in a separate file from the type that it checks";
const LOADED = "a lazily loaded part uses the options type of the file that loads it";

/** Known type cycles between files. There are no value cycles. */
export const TYPE_CYCLES: readonly KnownCycle[] = [
  {
    in: "packages/codexwright/src/client",
    parts: ["error-code.ts", "index.ts"],
    why: "the type of all error codes is derived from the entry, which exports the errors",
  },
  {
    in: "packages/codexwright/src/agent",
    parts: ["errors.ts", "limits.ts"],
    why: "an error names its limit",
  },
  {
    in: "packages/codexwright/src/agent/tools",
    parts: ["keys.ts", "turn.ts"],
    why: "a turn of calls holds the keys that its calls wait for",
  },
  {
    in: "packages/codexwright/src/endpoint",
    parts: ["admission.ts", "dispatcher.ts"],
    why: "admission chooses a handler, and the dispatcher runs the admitted request",
  },
  {
    in: "packages/codexwright/src/recording/compare",
    parts: ["join-deltas.ts", "normalize.ts"],
    why: "a step of the normalization uses the type of its result",
  },
  { in: "packages/codexwright/src/server", parts: ["listen-on-socket.ts", "listen.ts"], why: LOADED },
  { in: "packages/codexwright/src/tools", parts: ["tool-check.ts", "tool.ts"], why: CHECKED },
  { in: "packages/codexwright/src/transports", parts: ["launch.ts", "stdio.ts"], why: LOADED },
  { in: "packages/testing/src", parts: ["model-steps.ts", "model-tables.ts"], why: CHECKED },
  {
    in: "packages/testing/src",
    parts: ["real-app-server-process.ts", "real-app-server.ts"],
    why: "a world starts servers, which refer to the type of their world",
  },
  { in: "packages/testing/src/fake/faults", parts: ["fault-check.ts", "faults.ts"], why: CHECKED },
  {
    in: "packages/testing/src/fake",
    parts: ["scripted-process.ts", "scripted-shell.ts"],
    why: "a fake process follows the script of its shell",
  },
  {
    in: "packages/cli/src/run",
    parts: ["conduct.ts", "tell.ts"],
    why: "one part of a run, in its own file",
  },
  { in: "packages/cli/src/shared", parts: ["invoke.ts", "options.ts"], why: LOADED },
];

/** Rooms that import each other. */
export const ROOM_CYCLES: readonly KnownCycle[] = [
  {
    in: "packages/codexwright/src/agent",
    parts: ["prompt", "tools"],
    why: "a prompt contains tools, and a tool can request a section of its prompt",
  },
  {
    in: "packages/codexwright/src/client/services",
    parts: ["commands", "files"],
    why: "each uses one small helper of the other",
  },
  {
    in: "packages/cli/src",
    parts: ["run", "threads"],
    why: "`run --resume` finds a thread, and `threads` shows items and resumes like a run",
  },
];
