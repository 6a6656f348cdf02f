import { FleetError } from "../domain/errors.ts";

const LEAST = [22, 15] as const;

/** Throws `unsupported_node`. An older Node would fail later, with a worse error. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return;
  throw new FleetError(
    "unsupported_node",
    `A fleet needs Node ${LEAST.join(".")} or later; this is ${version}.`,
  );
}
