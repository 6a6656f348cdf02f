import { CODEX_VERSION } from "codexwright/protocol";
import type { Dialect } from "./ports.ts";

/** The dialect of the engine: that of the Codex version that this library was generated from, and a little more. */
export const CURRENT_DIALECT: Dialect = {
  version: CODEX_VERSION,
  knows: () => true,
  turnId: () => undefined,
  showsWhatItAsksFor: true,
  endsDeclinedPatchesTwice: false,
  nestsReviews: true,
  tellsFindings: true,
  startsPhantoms: false,
};
