/** A behaviour that users are promised. */
export interface Requirement {
  readonly id: string;
  /** Where the promise was made. */
  readonly source: string;
  readonly statement: string;
}

/**
 * Every promised behaviour. Tests name the ones they verify; a promise without a test fails the suite.
 * `live` in the rendered table means: seen on a real app-server.
 */
export const REQUIREMENTS = [
  // protocol
  {
    id: "protocol.maps",
    source: "api.md Client",
    statement: "Every method of the schema has typed params and result in one of four maps.",
  },
  {
    id: "protocol.table",
    source: "api.md Versions",
    statement:
      "A table tells each method's stability and the first Codex version that had it and each of its params fields.",
  },
  {
    id: "protocol.responses",
    source: "toolchain.md 4",
    statement: "No method has an unresolved response type.",
  },
  {
    id: "protocol.open-unions",
    source: "api.md Flow",
    statement: "Unions the server may extend are open, and narrowing by literal works on them.",
  },
  {
    id: "protocol.drift",
    source: "toolchain.md 5",
    statement: "The generated files are what the pinned binary generates.",
  },
  // rpc
  {
    id: "rpc.classify",
    source: "protocol.md 1.1",
    statement:
      "Messages are told apart by key presence; ids 0 and strings work, and the two directions' ids may overlap.",
  },
  {
    id: "rpc.framing",
    source: "peers.md 6.1",
    statement: "Lines end at byte 0x0A only; CR is stripped, U+2028/2029 and split UTF-8 arrive intact.",
  },
  {
    id: "rpc.long-line",
    source: "protocol.md 1.12",
    statement: "A line of any length costs time in proportion to its length.",
  },
  {
    id: "rpc.bad-line",
    source: "peers.md 6.1",
    statement: "A line that is not a message is reported and skipped.",
  },
  {
    id: "rpc.in-flight",
    source: "api.md Flow",
    statement:
      "At most maxInFlight requests wait for an answer; long calls hold no slot and interrupts pass the cap.",
  },
  {
    id: "rpc.timeout",
    source: "api.md Flow",
    statement: "Every request has a time limit and says whether it was sent.",
  },
  { id: "rpc.abort", source: "api.md Flow", statement: "An AbortSignal ends the wait for an answer." },
  {
    id: "rpc.overload",
    source: "api.md Flow",
    statement: "-32001 is retried with backoff within the request's time, then is `overloaded`.",
  },
  {
    id: "rpc.server-requests",
    source: "peers.md 6.2",
    statement:
      "Handlers of server requests run in parallel and off the read loop, and every id is answered once, verbatim.",
  },
  {
    id: "rpc.closed-latch",
    source: "peers.md 6.3",
    statement: "Nothing waits on a dead connection: pending work rejects, later work rejects at once.",
  },
  {
    id: "rpc.queue",
    source: "peers.md 6.5",
    statement:
      "A lagging consumer keeps memory bounded by the text: adjacent deltas are joined, nothing is lost.",
  },
  {
    id: "rpc.tap",
    source: "api.md Testing",
    statement: "A tap sees every line of a channel in both directions.",
  },
  {
    id: "rpc.bad-params",
    source: "api.md Flow",
    statement: "Params that JSON cannot hold are refused before anything is sent.",
  },
  // transports
  {
    id: "stdio.find",
    source: "api.md Client",
    statement:
      "The native binary is found by option, CODEX_PATH, PATH, installed package; the npm launcher is skipped.",
  },
  {
    id: "stdio.not-found",
    source: "api.md Flow",
    statement:
      "A missing or unusable binary is `codex_not_found` that says where it was looked for and what to do.",
  },
  {
    id: "stdio.exit",
    source: "api.md Flow",
    statement: "An exit is reported after stdout is drained, with code, signal and the tail of stderr.",
  },
  {
    id: "stdio.close",
    source: "protocol.md 1.12",
    statement: "Closing ends stdin, then SIGTERM, then SIGKILL the group; no process is left.",
  },
  {
    id: "stdio.config",
    source: "api.md Client",
    statement: "Configuration overrides are passed as `-c key=value`.",
  },
  // client
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
    id: "client.options",
    source: "api.md Client",
    statement: "Bad options are refused at once, naming the option and the fix.",
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
  // server requests
  {
    id: "requests.command",
    source: "CHECKLIST-003-004 17",
    statement:
      "A command's approval reaches onApproval with what the server suggests, and takes every decision: accept, acceptForSession, an execpolicy amendment, decline, cancel.",
  },
  {
    id: "requests.network",
    source: "CHECKLIST-003-004 17",
    statement: "A host's approval is a kind of its own and can be answered by a network policy amendment.",
  },
  {
    id: "requests.file-change",
    source: "CHECKLIST-003-004 17",
    statement: "A patch's approval reaches onApproval with its changes.",
  },
  {
    id: "requests.mcp-tool",
    source: "CHECKLIST-001 7",
    statement:
      "An MCP tool's approval reaches onApproval, whether it is asked by elicitation or by question, and can be remembered.",
  },
  {
    id: "requests.permissions",
    source: "CHECKLIST-003-004 17",
    statement: "onPermissions grants a part of what was asked for, for the turn or the session.",
  },
  {
    id: "requests.user-input",
    source: "CHECKLIST-001 7",
    statement:
      'onUserInput answers questions by their ids; without it none is answered, with "decline" the model is told that nobody is there.',
  },
  {
    id: "requests.elicitation",
    source: "CHECKLIST-003-004 17",
    statement: "onElicitation answers what MCP servers ask: accept with content, decline, cancel.",
  },
  {
    id: "requests.legacy",
    source: "CHECKLIST-001 6",
    statement: "The approvals of v1 conversations are the same requests, answered in their own words.",
  },
  {
    id: "requests.tokens",
    source: "api.md Server requests",
    statement:
      "Token refresh, attestation and the time are answered by their options; without one the first two are errors.",
  },
  {
    id: "requests.nonsense",
    source: "api.md Server requests",
    statement:
      "A handler that throws or returns nonsense counts as a refusal and raises a warning without secrets.",
  },
  {
    id: "requests.fail",
    source: "CHECKLIST-001 10",
    statement:
      'onApproval and onUserInput "fail" end the turn with approval_required and input_required, carrying the request.',
  },
  {
    id: "requests.resolved",
    source: "CHECKLIST-003-004 17",
    statement: "A request that is resolved elsewhere aborts its signal, and a late answer is dropped.",
  },
  // state
  {
    id: "state.items",
    source: "CHECKLIST 16",
    statement:
      "Every kind of item and each of its deltas is folded into one live item; item/completed is the truth and unknown kinds pass untouched.",
  },
  {
    id: "state.turns",
    source: "protocol.md 1.4, 2.5",
    statement:
      "Every turn of a thread is in its state, asked for or not, from its start, its middle or a history, each once and at most fifty.",
  },
  {
    id: "state.incomplete",
    source: "protocol.md 1.4",
    statement:
      "What is open at the end of its turn is closed as incomplete; a later completion still counts.",
  },
  {
    id: "state.usage",
    source: "protocol.md 1.6",
    statement:
      "A turn's usage is the difference of its thread's totals; the context meter shows the last call.",
  },
  {
    id: "state.requests",
    source: "api.md Threads",
    statement: "Requests of the server's are in the state until they are answered, resolved or moot.",
  },
  {
    id: "state.pure",
    source: "api.md Threads",
    statement:
      "The reducer changes nothing in place, agrees with the live fold, and keeps what did not change as the same object.",
  },
  {
    id: "state.foreign",
    source: "peers.md 6",
    statement: "Events of other threads, of unknown names and of bad shapes change nothing and never throw.",
  },
  // tools and output
  {
    id: "tools.schemas",
    source: "api.md Tools",
    statement:
      "Zod, ArkType, wrapped Valibot and jsonSchema() are schemas; anything else is refused with the fix.",
  },
  {
    id: "tools.arguments",
    source: "api.md Tools",
    statement: "Arguments are validated before a tool runs; the model is told what is wrong, path by path.",
  },
  {
    id: "tools.results",
    source: "api.md Tools",
    statement:
      "A tool gives text, JSON or content items; a throw is success: false with its message; parallel calls run in parallel.",
  },
  {
    id: "tools.deadline",
    source: "api.md Tools",
    statement: "A tool that runs out of time is success: false at once, and its signal aborts.",
  },
  {
    id: "tools.names",
    source: "api.md Tools",
    statement:
      "Names the server would refuse, or take for its own tools, are refused before thread/start, all at once.",
  },
  {
    id: "tools.unknown",
    source: "CHECKLIST-001 8",
    statement: "An unknown tool is success: false with a text that names it and lists the known ones.",
  },
  {
    id: "tools.namespaces",
    source: "api.md Tools",
    statement: "Tools of a namespace are told as one group; deferLoading works there and only there.",
  },
  {
    id: "output.strict",
    source: "api.md Threads",
    statement:
      "An output schema is made strict: closed, all required, optional as nullable; other shapes are refused when the call is made.",
  },
  {
    id: "output.parse",
    source: "api.md Threads",
    statement: "The final answer is parsed, freed of nulls that stand for absent properties, and validated.",
  },
  {
    id: "output.invalid",
    source: "api.md Threads",
    statement: "An answer that does not match is `output_invalid` with the raw text and the issues.",
  },
  {
    id: "turn.reconciled",
    source: "api.md Flow",
    statement: "A turn whose terminal event never comes is read back and marked `reconciled`.",
  },
  {
    id: "turn.spec-001",
    source: "CHECKLIST-001 5",
    statement: "turn/failed, turn/cancelled and turn/completed without params are terminal events.",
  },
  {
    id: "turn.send",
    source: "api.md Threads",
    statement: "send() steers, queues or interrupts, and tells exactly what became of the message.",
  },
  {
    id: "turn.unsolicited",
    source: "protocol.md 1.4",
    statement: "Turns and threads nobody asked for are surfaced and never mixed into another turn.",
  },
  {
    id: "turn.phantom",
    source: "protocol.md 1.6",
    statement: "A second turn/start during a turn ends well, whatever id the server answers with.",
  },
  {
    id: "turn.table",
    source: "api.md Threads",
    statement: "Every way a turn can end settles result and iterator exactly once, alike.",
  },
  // threads
  {
    id: "thread.resume",
    source: "api.md Threads",
    statement:
      "A cold resume restores the history and re-sends the sandbox; ignored overrides are a warning.",
  },
  {
    id: "thread.errors",
    source: "api.md Flow",
    statement: "thread_not_found, thread_archived, no_rollout and active_writer are told by code.",
  },
  {
    id: "thread.methods",
    source: "CHECKLIST-003-004 11",
    statement:
      "fork, read, name, metadata, archive, compact, shellCommand, revert and delete work on handles.",
  },
  {
    id: "thread.list",
    source: "api.md Threads",
    statement: "Lists are paged through, each entry once.",
  },
  {
    id: "thread.unsubscribe",
    source: "protocol.md 1.5",
    statement: "A turn after an unsubscribe subscribes first, so that its end is heard.",
  },
  {
    id: "thread.subscribe",
    source: "api.md Threads",
    statement: "Many subscribers, also late ones, see the same folded state.",
  },
  {
    id: "spec-002.surface",
    source: "CHECKLIST-002",
    statement: "Every method and event of spec 002 is on the client and shares the handles' implementation.",
  },
  {
    id: "client.memory",
    source: "api.md Flow",
    statement: "A long-lived client's memory stays flat.",
  },
  {
    id: "review",
    source: "CHECKLIST-003-004 18",
    statement: "A review gives its text, inline or detached, from newer and older servers alike.",
  },
  // account and config
  {
    id: "login.api-key",
    source: "CHECKLIST-003-004 22",
    statement: "An API key logs in; an empty one is refused before anything is sent.",
  },
  {
    id: "login.browser",
    source: "CHECKLIST-003-004 22",
    statement:
      "A browser login gives its URL and settles with its own completion, also one that overtakes the answer, or with the connection.",
  },
  {
    id: "login.device-code",
    source: "CHECKLIST-003-004 22",
    statement:
      "A login by device code gives URL and code; without network or on older servers it fails at once.",
  },
  {
    id: "login.tokens",
    source: "CHECKLIST-003-004 22",
    statement:
      "Tokens of the caller's log in, in the shape the server's version reads, and are refreshed on demand.",
  },
  {
    id: "login.cancel",
    source: "CHECKLIST-003-004 22",
    statement: "A login is cancelled by its handle, its signal or its disposal, at the server too.",
  },
  {
    id: "account.read",
    source: "CHECKLIST-003-004 22",
    statement: "The account can be read and logged out of.",
  },
  {
    id: "account.rate-limits",
    source: "CHECKLIST-003-004 22",
    statement:
      "Rate limits are read once; sparse updates are merged bucket by bucket and erase nothing; another account starts anew.",
  },
  {
    id: "mcp.login",
    source: "api.md Threads",
    statement: "An MCP server's OAuth login gives its URL and settles with its own completion.",
  },
  {
    id: "config.write",
    source: "CHECKLIST-003-004 21",
    statement: "The configuration is read with its layers and written value by value or in batches.",
  },
  {
    id: "config.conflict",
    source: "api.md Flow",
    statement: "A write on an outdated version is `config_conflict`; other refusals keep the server's data.",
  },
  {
    id: "search.once",
    source: "CHECKLIST-003-004 21",
    statement: "Files are found by a fuzzy query.",
  },
  {
    id: "search.session",
    source: "CHECKLIST-003-004 21",
    statement: "A search session gives the newest results of its newest query until it is closed.",
  },
  {
    id: "secrets.errors",
    source: "CHECKLIST-003-004 22",
    statement: "No key and no token appears in an error, even where the server quotes it.",
  },
  // commands and files
  {
    id: "exec.buffered",
    source: "api.md Threads and turns",
    statement: "A command runs to its end and tells exit code, stdout and stderr, byte by byte as UTF-8.",
  },
  {
    id: "exec.streaming",
    source: "api.md Threads and turns",
    statement:
      "The streams of a running command give every byte, in order, to each reader; a slow reader holds up nobody.",
  },
  {
    id: "exec.pty",
    source: "spec 003 19",
    statement: "A command can have a terminal, of a size that can be changed.",
  },
  {
    id: "exec.stdin",
    source: "api.md Threads and turns",
    statement: "A command can be fed while it runs; writing to one that has ended rejects and never hangs.",
  },
  {
    id: "exec.kill",
    source: "api.md Threads and turns",
    statement:
      "A command is killed by kill(), a signal or disposal, at any time; its handle settles whatever happens.",
  },
  {
    id: "exec.timeout",
    source: "api.md Threads and turns",
    statement: "A command has no time limit but the one it is given, and tells that it ended by it.",
  },
  {
    id: "exec.caps",
    source: "spec 003 19",
    statement: "What is kept of output has a limit; whether something was left out is told exactly.",
  },
  {
    id: "exec.unsupported",
    source: "protocol.md 1.11",
    statement:
      "On servers that cannot stream, commands run to their end, and what they cannot do is `unsupported`.",
  },
  {
    id: "fs.methods",
    source: "spec 003 20",
    statement: "Files and folders of the server's machine are read, written, listed, copied and removed.",
  },
  {
    id: "fs.paths",
    source: "spec 003 20",
    statement: "A path that is not absolute is refused before anything is sent.",
  },
  {
    id: "fs.watch",
    source: "spec 003 20",
    statement: "A watch tells what changes until it is closed or the connection ends, and loses nothing.",
  },
  {
    id: "client.supports",
    source: "api.md Client",
    statement: "supports() tells which methods the connected server has, from its own list.",
  },
  // recovery
  {
    id: "recovery.resume",
    source: "api.md Flow",
    statement:
      "With `reconnect` a lost server is replaced, open threads are resumed, a running turn is `recovered`.",
  },
  {
    id: "recovery.crash-loop",
    source: "api.md Flow",
    statement: "A server that is lost again and again ends in `crash_loop`.",
  },
  {
    id: "recovery.fence",
    source: "api.md Flow",
    statement: "Nothing of an old server's process reaches the client after the loss.",
  },
  {
    id: "recovery.orphans",
    source: "peers.md 4",
    statement: "When our own process is killed, no app-server and no child of it lives on.",
  },
  // versions
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
  // testing kit
  {
    id: "testing.scripted-model",
    source: "api.md Testing",
    statement: "A scripted model plays the Responses API on loopback and shows the requests it got.",
  },
  {
    id: "testing.real-app-server",
    source: "api.md Testing",
    statement: "The real server runs offline in an isolated home that disposal removes.",
  },
  {
    id: "testing.fake-app-server",
    source: "api.md Testing",
    statement: "A fake app-server plays a line script, in memory and as an executable.",
  },
  // project
  {
    id: "package.browser",
    source: "api.md Entries",
    statement: "codexwright/client bundles for the browser without a module of Node's.",
  },
  {
    id: "docs.readme",
    source: "layout.md 2",
    statement: "The README's example is compiled and runs on the real server.",
  },
  {
    id: "docs.examples",
    source: "layout.md 2",
    statement: "Every example of the guide runs on the real server and prints what the guide says.",
  },
  {
    id: "docs.snippets",
    source: "models.md 1.2",
    statement: "Every TypeScript snippet of the guide is a region of a compiled example.",
  },
  {
    id: "package.exports",
    source: "api.md Entries",
    statement: "The package's entries are the promised ones.",
  },
  {
    id: "package.dependencies",
    source: "api.md Entries",
    statement: "The library has no runtime dependency.",
  },
  {
    id: "layers",
    source: "layout.md 3",
    statement: "Imports between layers point one way; the neutral ones use no Node built-in.",
  },
  {
    id: "demo.login",
    source: "api.md Command",
    statement: "Whether Codex can be used is read from its files, without starting a server.",
  },
  {
    id: "demo.run",
    source: "api.md Command",
    statement: "npm start runs a turn on the real server, shows it, and leaves nothing behind.",
  },
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof REQUIREMENTS)[number]["id"];
