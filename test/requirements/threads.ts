import type { Requirement } from "./requirement.ts";

export const THREADS = [
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
    id: "thread.unloaded",
    source: "api.md Threads",
    statement:
      "A thread that the server has unloaded is resumed before the next call that needs it loaded; while it is archived that call is `thread_archived`, and after its deletion `thread_not_found`.",
  },
  {
    id: "thread.confinement",
    source: "api.md Threads",
    statement:
      "`permissions` is sent without a sandbox, both together are `invalid_argument`, and `null` for the sandbox or the approval policy sends nothing; what was chosen last holds after a resume and in a fork.",
  },
  {
    id: "thread.subscribe",
    source: "api.md Threads",
    statement: "Many subscribers, also late ones, see the same folded state.",
  },
  {
    id: "realtime.text",
    source: "spec 003",
    statement:
      "A realtime conversation takes text and tells every notification of its own once, joined for a reader that lags, over as many loops as one likes.",
  },
  {
    id: "realtime.handoff",
    source: "spec 003",
    statement: "What a realtime conversation hands over to Codex runs as a turn of its thread.",
  },
  {
    id: "realtime.failure",
    source: "spec 003",
    statement:
      "A realtime conversation that does not start, or that an error ends, is `realtime_failed` with the server's reason.",
  },
  {
    id: "realtime.ends",
    source: "api.md Flow",
    statement:
      "A realtime conversation ends, once and at the server too, by stop, disposal, signal or time limit, with its thread, its subscription and its connection.",
  },
  {
    id: "realtime.one",
    source: "spec 003",
    statement:
      "A thread has one realtime conversation at a time; what becomes of one is never taken for another's.",
  },
  {
    id: "realtime.memory",
    source: "api.md Flow",
    statement: "Events of a realtime conversation that nobody reads are bounded, and dropping is a warning.",
  },
  {
    id: "realtime.unsupported",
    source: "api.md Versions",
    statement:
      "Servers without realtime conversations in text, or with them switched off, are `unsupported`.",
  },
  {
    id: "spec-002.surface",
    source: "CHECKLIST-002",
    statement: "Every method and event of spec 002 is on the client and shares the handles' implementation.",
  },
  {
    id: "spec-002.examples",
    source: "spec 002",
    statement:
      "Every example of spec 002 compiles with the names of the main entry and runs on a real server; its turns have status, items and error.",
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
  {
    id: "review.findings",
    source: "issue 10 15",
    statement:
      "A finished review has its findings as data: title, body, priority, file and lines, as the reviewer wrote them.",
  },
] as const satisfies readonly Requirement[];
