import { FleetError, TrackerError } from "../domain/errors.ts";

/** The statuses of errors. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 414 | 415 | 500 | 502 | 503;

/** A request that is answered with an error. */
export class Refusal extends Error {
  readonly status: ErrorStatus;
  readonly code: string;

  constructor(status: ErrorStatus, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const BY_CODE: Partial<Record<FleetError["code"], ErrorStatus>> = {
  database_unavailable: 503,
  database_version: 503,
  issue_not_found: 404,
  run_not_found: 404,
  invalid_order: 409,
};

/** The answer for an error. An unexpected error shows nothing of its contents. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof FleetError) {
    const status = BY_CODE[error.code];
    if (status !== undefined) return new Refusal(status, error.code, error.message);
  }
  if (error instanceof TrackerError) return new Refusal(502, error.code, error.message);
  return new Refusal(500, "unexpected", "the request failed; see the log of the fleet");
}
