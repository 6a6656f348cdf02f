import { CODEX_VERSION } from "codexwright/protocol";
import type { Dialect, DialectName } from "./dialect.ts";
import { DIALECT_098 } from "./dialect-098.ts";
import { dialect2025 } from "./dialect-2025-11.ts";

const CURRENT: Dialect = {
  version: CODEX_VERSION,
  knows: () => true,
  tells: () => true,
  turnId: () => undefined,
  showsWhatItAsksFor: true,
  endsDeclinedPatchesTwice: false,
  nestsReviews: true,
  startsPhantoms: false,
};

/** A dialect by its name, for one server: it may remember what was said. */
export function dialectOf(name: DialectName): Dialect {
  if (name === "0.98") return DIALECT_098;
  return name === "2025-11" ? dialect2025() : CURRENT;
}
