import { CODEX_VERSION } from "codexwright/protocol";
import type { Dialect } from "./ports.ts";

/** The dialect of the Codex version that this library was generated from. */
export const CURRENT_DIALECT: Dialect = {
  version: CODEX_VERSION,
  knows: () => true,
  turnId: () => undefined,
  showsWhatItAsksFor: true,
  endsDeclinedPatchesTwice: false,
  nestsReviews: true,
  startsPhantoms: false,
};
