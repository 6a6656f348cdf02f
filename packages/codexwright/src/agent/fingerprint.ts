import { canonical } from "../rpc/json.ts";

/** A hash of the canonical JSON of a value: equal values have equal hashes. */
export async function fingerprintOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(value)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
