import { CodexError } from "../rpc/errors.ts";

/** No Codex to start; `looked` lists the places in the order they were tried. */
export class CodexNotFoundError extends CodexError {
  readonly code = "codex_not_found";
  readonly looked: readonly string[];

  constructor(what: string, looked: readonly string[], cause?: unknown) {
    super(
      `${what}. Install it with \`npm install @openai/codex\`, or name the binary with the option codexPath or the variable CODEX_PATH.`,
      cause === undefined ? undefined : { cause },
    );
    this.looked = looked;
  }
}
