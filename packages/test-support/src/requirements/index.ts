import path from "node:path";
import { readSpec } from "./read-spec.ts";

const SPEC = readSpec(path.resolve(import.meta.dirname, "../../../.."));

/** Every promised behaviour, read from docs/spec. */
export const { requirements: REQUIREMENTS, elsewhere: ELSEWHERE } = SPEC;

const IDS: ReadonlySet<string> = new Set(REQUIREMENTS.map(({ id }) => id));

/** Throws if docs/spec and SECURITY.md have no requirement with this id. */
export function checkId(id: string): void {
  if (!IDS.has(id)) throw new Error(`docs/spec has no requirement "${id}"`);
}
