import { createHash } from "node:crypto";
import { canonical } from "../agent/canonical.ts";

/** A hash that is the same for the same settings, in whatever order their keys are. */
export function fingerprint(settings: unknown): string {
  return createHash("sha256").update(canonical(settings)).digest("hex");
}
