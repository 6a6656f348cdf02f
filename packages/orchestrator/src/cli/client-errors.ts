import { FleetError } from "../domain/errors.ts";
import type { FleetPlace } from "./place.ts";

/** Codes of the API that mean the same for the caller. */
const KNOWN: ReadonlySet<string> = new Set<FleetError["code"]>([
  "database_unavailable",
  "database_version",
  "invalid_order",
  "issue_not_found",
  "run_not_found",
  "unauthorized",
]);

/** The error for a fleet that does not run. */
export function stopped({ workflowPath }: FleetPlace, options?: ErrorOptions): FleetError {
  return new FleetError("fleet_not_running", `no fleet runs for ${workflowPath}`, options);
}

/** The error that the API answered with. */
export async function errorOf(response: Response): Promise<FleetError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } =
    (body as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  if (typeof code !== "string" || typeof message !== "string") {
    return new FleetError("request_failed", `the fleet answered with status ${response.status}`);
  }
  if (KNOWN.has(code)) return new FleetError(code as FleetError["code"], message);
  return new FleetError("request_failed", `${code}: ${message}`);
}
