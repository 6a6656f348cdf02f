import { messageOf } from "../../schema/schema.ts";
import { CodexError } from "../../rpc/errors.ts";

/** A section could not be rendered. If one of its functions threw, that error is the `cause`. */
export class PromptRenderError extends CodexError {
  readonly code = "prompt_render_failed";
  /** The path of the section. */
  readonly path: string;

  constructor(path: string, what: string, cause?: unknown) {
    super(
      `the ${what} of section ${JSON.stringify(path)} could not be rendered${cause === undefined ? "" : `: ${messageOf(cause)}`}`,
      cause === undefined ? {} : { cause },
    );
    this.path = path;
  }
}
