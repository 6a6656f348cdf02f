import { CodexError } from "../../rpc/errors.ts";

/** A request by the model to expand summarised sections. */
export interface ExpansionRequest {
  /** Paths of the sections that are not expanded yet. */
  readonly sections: readonly string[];
  readonly reason: string;
}

/** Thrown by `open_sections`. It is not a failure: the run, not the tool, performs the expansion. */
export class ExpansionSignal extends CodexError {
  readonly code = "expansion_signal";
  readonly request: ExpansionRequest;
  /** The tool result that the model receives. */
  readonly reply: string;

  constructor(request: ExpansionRequest, reply: string) {
    super(reply);
    this.request = request;
    this.reply = reply;
  }
}
