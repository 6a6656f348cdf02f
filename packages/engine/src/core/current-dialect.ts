import { CODEX_VERSION } from "codexwright/protocol";
import type { Dialect } from "./ports.ts";

/** The behaviour of the newest Codex, from which the protocol types were generated. */
export const CURRENT_DIALECT: Dialect = {
  version: CODEX_VERSION,
  knows: () => true,
  turnId: () => undefined,
  showsWhatItAsksFor: true,
  endsDeclinedPatchesTwice: false,
  nestsReviews: true,
  startsPhantoms: false,
};
