import type { Requirement } from "./requirement.ts";

/** The commands around Codex: doctor, recordings, serve. */
export const CLI_TOOLS = [
  {
    id: "cli.serve.clients",
    source: "issue 7 5",
    statement:
      "`serve` puts several clients in front of one app-server; each runs its turns and hears of its own.",
  },
  {
    id: "cli.serve.dropped",
    source: "issue 7 5",
    statement:
      "A client dropped in the middle of an approval is asked again when it resumes; others may answer.",
  },
  {
    id: "cli.serve.ids",
    source: "issue 7 5",
    statement: "Ids that clients of `serve` choose are kept apart, and what a client left behind is ended.",
  },
  {
    id: "cli.serve.auth",
    source: "issue 7 5",
    statement:
      "`serve` asks for a token or a JWT, never prints one that it was given, and answers probes without.",
  },
  {
    id: "cli.serve.shutdown",
    source: "issue 7 5",
    statement: "A signal ends `serve` when the running turns have ended, a second one at once.",
  },
  {
    id: "cli.serve.lost",
    source: "issue 7 5",
    statement: "A lost app-server ends `serve` with a clear message, or is replaced with `--restart`.",
  },
  {
    id: "cli.doctor.good",
    source: "issue 7 3",
    statement: "`doctor` passes on a good set-up, with a real turn, and writes nothing into the user's home.",
  },
  {
    id: "cli.doctor.advice",
    source: "issue 7 3",
    statement: "`doctor` says what to do about each thing that is wrong, and its exit code tells what.",
  },
  {
    id: "cli.doctor.versions",
    source: "issue 7 3",
    statement: "`doctor` knows which Codex versions are too old, known, or newer than the tables.",
  },
  {
    id: "cli.recordings.run",
    source: "issue 7 4",
    statement: "`record` records another command without secrets; `replay` runs it again without a server.",
  },
  {
    id: "cli.recordings.whole",
    source: "issue 7 4",
    statement:
      "`replay` plays a recording against itself and says whether it is whole; `--serve` plays it to clients.",
  },
  {
    id: "cli.recordings.inspect",
    source: "issue 7 4",
    statement:
      "`inspect` shows requests with latency, turns, items, questions and errors, filters them, and follows.",
  },
] as const satisfies readonly Requirement[];
