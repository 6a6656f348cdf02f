import type { Requirement } from "./requirement.ts";

export const CLIENT = [
  {
    id: "client.handshake",
    source: "CHECKLIST-002 2",
    statement: "connect() sends initialize with id 0, waits, sends initialized; server info is readable.",
  },
  {
    id: "client.startup",
    source: "api.md Client",
    statement:
      "A server that does not finish its handshake in time is ended and reported as `startup_timeout`.",
  },
  {
    id: "client.lifecycle",
    source: "api.md Client",
    statement: "Calls before connect and after disconnect are `not_connected`; disconnect is idempotent.",
  },
  {
    id: "client.quick-lines",
    source: "issue 8",
    statement:
      "Deltas are read without parsing them, to the same effect; what concerns nobody is not parsed.",
  },
  {
    id: "client.options",
    source: "api.md Client",
    statement: "Bad options are refused at once, naming the option and the fix.",
  },
  {
    id: "options.everywhere",
    source: "api.md The seam",
    statement:
      "In every public call, an option name that does not exist is `invalid_argument` with the nearest right name, before anything is started.",
  },
  {
    id: "options.values",
    source: "api.md Flow, errors, failure",
    statement:
      "In every public call, a value of the wrong kind is `invalid_argument` with the path of its option, before anything is started.",
  },
  {
    id: "options.arguments",
    source: "api.md Flow, errors, failure",
    statement:
      "An argument of the wrong kind beside the options is `invalid_argument`, before anything is started. Not claimed: what the reducers, the reading of versions and the objects that calls return do with one.",
  },
  {
    id: "client.spellings",
    source: "api.md Client",
    statement: "Older spellings of sandbox and approval policy are accepted and translated.",
  },
  {
    id: "client.events",
    source: "api.md Client",
    statement:
      "Wire notifications reach listeners; a throwing listener is a warning and an `error` nobody hears never throws.",
  },
  {
    id: "client.emitter",
    source: "spec 002 Client",
    statement:
      "Listeners are added, called, counted and removed as by Node's EventEmitter; removing all of them leaves the client working.",
  },
  {
    id: "client.default-answers",
    source: "api.md Server requests",
    statement: "Every server request without a handler gets its documented default.",
  },
  {
    id: "client.server-death",
    source: "api.md Flow",
    statement:
      "When the server dies, pending requests and turns reject with exit code, signal and stderr tail.",
  },
  {
    id: "client.config-untouched",
    source: "api.md Client",
    statement: "A thread started in a git repository leaves the user's config.toml untouched.",
  },
  {
    id: "turn.run",
    source: "api.md Threads",
    statement: "run() gives items, final answer, diff, plan, usage and duration of that turn alone.",
  },
  {
    id: "turn.iterate",
    source: "api.md Threads",
    statement:
      "A turn can be iterated for its wire events and awaited, or both; leaving the loop does not stop it.",
  },
  {
    id: "turn.early-events",
    source: "protocol.md 1.4",
    statement: "Events that overtake the answer to turn/start are not lost.",
  },
  {
    id: "turn.isolation",
    source: "CHECKLIST-002 18",
    statement: "Events of other turns and threads never reach a turn.",
  },
  {
    id: "turn.busy",
    source: "api.md Threads",
    statement: "A second turn on a busy thread is `thread_busy`.",
  },
  {
    id: "turn.failed",
    source: "api.md Flow",
    statement:
      "A failed turn rejects `turn_failed` with the server's message, codexErrorInfo and HTTP status.",
  },
  {
    id: "turn.interrupt",
    source: "api.md Threads",
    statement: "interrupt() survives the start race, is sent once, and ends the turn as `turn_interrupted`.",
  },
  {
    id: "turn.silence",
    source: "api.md Threads",
    statement:
      "A turn nothing is heard of ends by `turn_timeout`; retries are no sign of life, open approvals and tools pause the clock.",
  },
  {
    id: "turn.timeout",
    source: "api.md Threads",
    statement: "timeoutMs limits the whole turn; the turn is interrupted first.",
  },
  {
    id: "turn.trouble",
    source: "api.md Flow",
    statement:
      "The first error of a turn that the server tries to get over is a `turn_retrying` warning; every timeout of that turn, of a request on its thread and of a run has the last such error as its cause and in its message.",
  },
  {
    id: "turn.abort",
    source: "api.md Flow",
    statement: "A signal that aborts midway interrupts the turn and rejects `aborted`.",
  },
  { id: "turn.dispose", source: "api.md Threads", statement: "Disposing a turn's handle interrupts it." },
  {
    id: "turn.input",
    source: "api.md Threads",
    statement: "Input is a string, an item or a list; an empty one is refused at once.",
  },
] as const satisfies readonly Requirement[];
