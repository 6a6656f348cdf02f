import { CodexError } from "../rpc/errors.ts";

const ADVICE =
  "Install it with `npm install @openai/codex`, or set the option codexPath or the variable CODEX_PATH to the path of the binary.";

/**
 * Codex, or the program of the option `command`, was not found or cannot be started. `looked` lists the places in the
 * order in which they were tried.
 */
export class CodexNotFoundError extends CodexError {
  readonly code = "codex_not_found";
  readonly looked: readonly string[];

  constructor(what: string, looked: readonly string[], cause?: unknown, advice: string = ADVICE) {
    super(`${what}. ${advice}`, cause === undefined ? undefined : { cause });
    this.looked = looked;
  }
}
