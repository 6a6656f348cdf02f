import type { Requirement } from "./requirement.ts";

/** The commands around Codex: doctor, recordings, serve. */
export const CLI_TOOLS = [
  {
    id: "cli.serve.clients",
    statement:
      "`serve` puts several clients in front of one app-server; each runs its turns and hears of its own.",
  },
  {
    id: "cli.serve.dropped",
    statement:
      "A client dropped in the middle of an approval is asked again when it resumes; others may answer.",
  },
  {
    id: "cli.serve.ids",
    statement: "Ids that clients of `serve` choose are kept apart, and what a client left behind is ended.",
  },
  {
    id: "cli.serve.auth",
    statement:
      "`serve` asks for a token or a JWT, never prints one that it was given, and answers probes without.",
  },
  {
    id: "cli.serve.shutdown",
    statement: "A signal ends `serve` when the running turns have ended, a second one at once.",
  },
  {
    id: "cli.serve.lost",
    statement: "A lost app-server ends `serve` with a clear message, or is replaced with `--restart`.",
  },
  {
    id: "cli.doctor.good",
    statement: "`doctor` passes on a good set-up, with a real turn, and writes nothing into the user's home.",
  },
  {
    id: "cli.doctor.advice",
    statement: "`doctor` says what to do about each thing that is wrong, and its exit code tells what.",
  },
  {
    id: "cli.doctor.versions",
    statement: "`doctor` knows which Codex versions are too old, known, or newer than the tables.",
  },
  {
    id: "cli.recordings.run",
    statement: "`record` records another command without secrets; `replay` runs it again without a server.",
  },
  {
    id: "cli.recordings.whole",
    statement:
      "`replay` plays a recording against itself and says whether it is whole; `--serve` plays it to clients.",
  },
  {
    id: "cli.recordings.inspect",
    statement:
      "`inspect` shows requests with latency, turns, items, questions and errors, filters them, and follows.",
  },
] as const satisfies readonly Requirement[];
