import { CodexError } from "../../rpc/errors.ts";

/** The model's wish to see folded sections whole. */
export interface ExpansionRequest {
  /** Paths of the sections that are not full yet. */
  readonly sections: readonly string[];
  readonly reason: string;
}

/** Thrown by `open_sections`: what it asks for is not a failure, and not for the tool to do. */
export class ExpansionSignal extends CodexError {
  readonly code = "expansion_signal";
  readonly request: ExpansionRequest;
  /** What the model is told. */
  readonly reply: string;

  constructor(request: ExpansionRequest, reply: string) {
    super(reply);
    this.request = request;
    this.reply = reply;
  }
}
