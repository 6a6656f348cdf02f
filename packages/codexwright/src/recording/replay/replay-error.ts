import { CodexError } from "../../rpc/errors.ts";
import { changedLeaves, short } from "../compare/differences.ts";

/** How a client left the recording: it sent what is not there, not what is there, or waits for what never comes. */
export type MismatchReason = "unexpected" | "missing" | "unanswered";

/** A client did not do what the recording says. Secrets in it are redacted. */
export class ReplayMismatchError extends CodexError {
  readonly code = "replay_mismatch";
  readonly reason: MismatchReason;
  readonly connection: number;
  /** The line of the recording that the replay had come to, from 1; the header is the first. */
  readonly line: number;
  /** The message of the recording, where there is one to compare with. */
  readonly expected: unknown;
  /** The message of the client, where there is one. */
  readonly actual: unknown;

  constructor(
    reason: MismatchReason,
    place: { readonly connection: number; readonly line: number },
    messages: { readonly expected?: unknown; readonly actual?: unknown },
    /** The methods of the server's requests by their ids, for the names of answers. */
    asked: ReadonlyMap<unknown, string> = new Map(),
  ) {
    const { expected, actual } = messages;
    super(`line ${place.line} of the recording: ${describe(reason, expected, actual, asked)}`);
    this.reason = reason;
    this.connection = place.connection;
    this.line = place.line;
    this.expected = expected;
    this.actual = actual;
  }
}

function describe(
  reason: MismatchReason,
  expected: unknown,
  actual: unknown,
  asked: ReadonlyMap<unknown, string>,
): string {
  const [wanted, got] = [expected, actual].map((message) => nameOf(message, asked));
  if (reason === "missing") return `the client did not send ${wanted}`;
  if (reason === "unanswered" && actual === undefined) return "it ends here, but the client does not leave";
  if (reason === "unanswered") return `it has no answer to ${got}`;
  if (expected === undefined) return `the client sent ${got}, which is not in it`;
  if (wanted !== got) return `the client sent ${got} in place of ${wanted}`;
  const changes = [...changedLeaves(expected, actual)].filter(({ path }) => path !== "id");
  const told = changes.map(({ path, a, b }) => `${path} is ${short(b)}, recorded ${short(a)}`);
  return `${got} differs: ${told.join("; ")}`;
}

/** What a message is, in a few words. */
function nameOf(message: unknown, asked: ReadonlyMap<unknown, string>): string {
  if (typeof message === "string") return "a line that is no message";
  if (message === undefined) return "what was recorded next";
  const { id, method } = message as { id?: unknown; method?: unknown };
  return typeof method === "string" ? method : `the answer to ${asked.get(id) ?? JSON.stringify(id)}`;
}
