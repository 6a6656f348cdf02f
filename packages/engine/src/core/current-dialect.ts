import { CODEX_VERSION } from "codexwright/protocol";
import type { Dialect } from "./ports.ts";

/** The newest Codex, as which this library was generated. */
export const CURRENT_DIALECT: Dialect = {
  version: CODEX_VERSION,
  knows: () => true,
  turnId: () => undefined,
  showsWhatItAsksFor: true,
  endsDeclinedPatchesTwice: false,
  nestsReviews: true,
  startsPhantoms: false,
};
