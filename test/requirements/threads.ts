import type { Requirement } from "./requirement.ts";

export const THREADS = [
  {
    id: "thread.resume",
    statement:
      "A cold resume restores the history and re-sends the sandbox; ignored overrides are a warning.",
  },
  {
    id: "thread.errors",
    statement: "thread_not_found, thread_archived, no_rollout and active_writer are told by code.",
  },
  {
    id: "thread.methods",
    statement:
      "fork, read, name, metadata, archive, compact, shellCommand, revert and delete work on handles.",
  },
  {
    id: "thread.list",
    statement: "Lists are paged through, each entry once.",
  },
  {
    id: "thread.unsubscribe",
    statement: "A turn after an unsubscribe subscribes first, so that its end is heard.",
  },
  {
    id: "thread.unloaded",
    statement:
      "A thread that the server has unloaded is resumed before the next call that needs it loaded; while it is archived that call is `thread_archived`, and after its deletion `thread_not_found`.",
  },
  {
    id: "thread.confinement",
    statement:
      "`permissions` is sent without a sandbox, both together are `invalid_argument`, and `null` for the sandbox or the approval policy sends nothing; what was chosen last holds after a resume and in a fork.",
  },
  {
    id: "thread.subscribe",
    statement: "Many subscribers, also late ones, see the same folded state.",
  },
  {
    id: "realtime.text",
    statement:
      "A realtime conversation takes text and tells every notification of its own once, joined for a reader that lags, over as many loops as one likes.",
  },
  {
    id: "realtime.handoff",
    statement: "What a realtime conversation hands over to Codex runs as a turn of its thread.",
  },
  {
    id: "realtime.failure",
    statement:
      "A realtime conversation that does not start, or that an error ends, is `realtime_failed` with the server's reason.",
  },
  {
    id: "realtime.ends",
    statement:
      "A realtime conversation ends, once and at the server too, by stop, disposal, signal or time limit, with its thread, its subscription and its connection.",
  },
  {
    id: "realtime.one",
    statement:
      "A thread has one realtime conversation at a time; what becomes of one is never taken for another's.",
  },
  {
    id: "realtime.memory",
    statement: "Events of a realtime conversation that nobody reads are bounded, and dropping is a warning.",
  },
  {
    id: "realtime.unsupported",
    statement:
      "Servers without realtime conversations in text, or with them switched off, are `unsupported`.",
  },
  {
    id: "spec-002.surface",
    statement: "Every method and event of spec 002 is on the client and shares the handles' implementation.",
  },
  {
    id: "spec-002.examples",
    statement:
      "Every example of spec 002 compiles with the names of the main entry and runs on a real server; its turns have status, items and error.",
  },
  {
    id: "client.memory",
    statement: "A long-lived client's memory stays flat.",
  },
  {
    id: "review",
    statement: "A review gives its text, inline or detached, from newer and older servers alike.",
  },
  {
    id: "review.findings",
    statement:
      "A finished review has its findings as data: title, body, priority, file and lines, as the reviewer wrote them.",
  },
] as const satisfies readonly Requirement[];
