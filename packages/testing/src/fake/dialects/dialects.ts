import { CURRENT_DIALECT } from "@codexwright/engine/internal";
import type { FakeDialect, DialectName } from "./dialect.ts";
import { DIALECT_098 } from "./dialect-098.ts";
import { dialect2025 } from "./dialect-2025-11.ts";

const CURRENT: FakeDialect = { ...CURRENT_DIALECT, tellsFindings: false, tells: () => true };

/** Returns a dialect by its name, for one server, because it may keep state. */
export function dialectOf(name: DialectName): FakeDialect {
  if (name === "0.98") return DIALECT_098;
  return name === "2025-11" ? dialect2025() : CURRENT;
}
