import type { Requirement } from "./requirement.ts";

export const CLIENT = [
  {
    id: "client.handshake",
    statement: "connect() sends initialize with id 0, waits, sends initialized; server info is readable.",
  },
  {
    id: "client.startup",
    statement:
      "A server that does not finish its handshake in time is ended and reported as `startup_timeout`.",
  },
  {
    id: "client.lifecycle",
    statement: "Calls before connect and after disconnect are `not_connected`; disconnect is idempotent.",
  },
  {
    id: "client.quick-lines",
    statement:
      "Deltas are read without parsing them, to the same effect; what concerns nobody is not parsed.",
  },
  {
    id: "client.options",
    statement: "Bad options are refused at once, naming the option and the fix.",
  },
  {
    id: "options.everywhere",
    statement:
      "In every public call, an option name that does not exist is `invalid_argument` with the nearest right name, before anything is started.",
  },
  {
    id: "options.values",
    statement:
      "In every public call, a value of the wrong kind is `invalid_argument` with the path of its option, before anything is started.",
  },
  {
    id: "options.arguments",
    statement:
      "An argument of the wrong kind beside the options is `invalid_argument`, before anything is started. Not claimed: what the reducers, the reading of versions and the objects that calls return do with one.",
  },
  {
    id: "client.spellings",
    statement: "Older spellings of sandbox and approval policy are accepted and translated.",
  },
  {
    id: "client.events",
    statement:
      "Wire notifications reach listeners; a throwing listener is a warning and an `error` nobody hears never throws.",
  },
  {
    id: "client.emitter",
    statement:
      "Listeners are added, called, counted and removed as by Node's EventEmitter; removing all of them leaves the client working.",
  },
  {
    id: "client.default-answers",
    statement: "Every server request without a handler gets its documented default.",
  },
  {
    id: "client.server-death",
    statement:
      "When the server dies, pending requests and turns reject with exit code, signal and stderr tail.",
  },
  {
    id: "client.config-untouched",
    statement: "A thread started in a git repository leaves the user's config.toml untouched.",
  },
  {
    id: "turn.run",
    statement: "run() gives items, final answer, diff, plan, usage and duration of that turn alone.",
  },
  {
    id: "turn.iterate",
    statement:
      "A turn can be iterated for its wire events and awaited, or both; leaving the loop does not stop it.",
  },
  {
    id: "turn.early-events",
    statement: "Events that overtake the answer to turn/start are not lost.",
  },
  {
    id: "turn.isolation",
    statement: "Events of other turns and threads never reach a turn.",
  },
  {
    id: "turn.busy",
    statement: "A second turn on a busy thread is `thread_busy`.",
  },
  {
    id: "turn.failed",
    statement:
      "A failed turn rejects `turn_failed` with the server's message, codexErrorInfo and HTTP status.",
  },
  {
    id: "turn.interrupt",
    statement: "interrupt() survives the start race, is sent once, and ends the turn as `turn_interrupted`.",
  },
  {
    id: "turn.silence",
    statement:
      "A turn nothing is heard of ends by `turn_timeout`; retries are no sign of life, open approvals and tools pause the clock.",
  },
  {
    id: "turn.timeout",
    statement: "timeoutMs limits the whole turn; the turn is interrupted first.",
  },
  {
    id: "turn.trouble",
    statement:
      "The first error of a turn that the server tries to get over is a `turn_retrying` warning; every timeout of that turn, of a request on its thread and of a run has the last such error as its cause and in its message.",
  },
  {
    id: "turn.abort",
    statement: "A signal that aborts midway interrupts the turn and rejects `aborted`.",
  },
  { id: "turn.dispose", statement: "Disposing a turn's handle interrupts it." },
  {
    id: "turn.input",
    statement: "Input is a string, an item or a list; an empty one is refused at once.",
  },
] as const satisfies readonly Requirement[];
