import { CodexError } from "../rpc/errors.ts";

/** Codex was not found or cannot be started. `looked` lists the places in the order in which they were tried. */
export class CodexNotFoundError extends CodexError {
  readonly code = "codex_not_found";
  readonly looked: readonly string[];

  constructor(what: string, looked: readonly string[], cause?: unknown) {
    super(
      `${what}. Install it with \`npm install @openai/codex\`, or set the option codexPath or the variable CODEX_PATH to the path of the binary.`,
      cause === undefined ? undefined : { cause },
    );
    this.looked = looked;
  }
}
