import { CodexError } from "../../rpc/errors.ts";
import { changedLeaves, short } from "../compare/differences.ts";

/**
 * How a client deviated from the recording:
 * - `unexpected`: the client sent a message that was not recorded
 * - `missing`: the client did not send a recorded message
 * - `unanswered`: the client waits for an answer that was not recorded
 */
export type MismatchReason = "unexpected" | "missing" | "unanswered";

/** A client did not do what was recorded. Secrets in the messages are redacted. */
export class ReplayMismatchError extends CodexError {
  readonly code = "replay_mismatch";
  readonly reason: MismatchReason;
  readonly connection: number;
  /** The line of the recording that the replay had reached, from 1. The header is line 1. */
  readonly line: number;
  /** The recorded message, if there is one to compare with. */
  readonly expected: unknown;
  /** The client's message, if there is one. */
  readonly actual: unknown;

  constructor(
    reason: MismatchReason,
    place: { readonly connection: number; readonly line: number },
    messages: { readonly expected?: unknown; readonly actual?: unknown },
    /** The methods of server requests, by id. They are used to describe the client's answers. */
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
  if (reason === "unanswered" && actual === undefined) return "it ends here, but the client stays connected";
  if (reason === "unanswered") return `it has no answer to ${got}`;
  if (expected === undefined) return `the client sent ${got}, which is not recorded`;
  if (wanted !== got) return `the client sent ${got} instead of ${wanted}`;
  const changes = [...changedLeaves(expected, actual)].filter(({ path }) => path !== "id");
  const told = changes.map(({ path, a, b }) => `${path} is ${short(b)}, recorded ${short(a)}`);
  return `${got} differs: ${told.join("; ")}`;
}

/** Describes a message in a few words. */
function nameOf(message: unknown, asked: ReadonlyMap<unknown, string>): string {
  if (typeof message === "string") return "a line that is not a message";
  if (message === undefined) return "the next recorded message";
  const { id, method } = message as { id?: unknown; method?: unknown };
  return typeof method === "string" ? method : `the answer to ${asked.get(id) ?? JSON.stringify(id)}`;
}
