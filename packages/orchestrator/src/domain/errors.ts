import { CodexError } from "codexwright";

/** The place of a problem in a file, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A WORKFLOW.md that cannot be used. */
export class WorkflowError extends CodexError {
  readonly code:
    | "missing_workflow_file"
    | "workflow_parse_error"
    | "workflow_front_matter_not_a_map"
    | "workflow_invalid"
    | "template_parse_error"
    | "template_render_error";
  readonly place: Place | undefined;

  constructor(code: WorkflowError["code"], message: string, place?: Place, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.place = place;
  }
}

/** A tracker that did not answer, or not as it should. */
export class TrackerError extends CodexError {
  readonly code:
    | "unsupported_tracker_kind"
    | "invalid_tracker_config"
    | "missing_tracker_secret"
    | "tracker_request"
    | "tracker_status"
    | "tracker_response"
    | "tracker_pagination"
    | "tracker_rate_limited";
  /** When the provider allows requests again, in milliseconds since 1970. Only with `tracker_rate_limited`. */
  readonly retryAt: number | undefined;

  constructor(code: TrackerError["code"], message: string, options?: ErrorOptions & { retryAt?: number }) {
    super(message, options);
    this.code = code;
    this.retryAt = options?.retryAt;
  }
}

/** The fleet cannot go on. */
export class FleetError extends CodexError {
  readonly code:
    | "database_unavailable"
    | "database_damaged"
    | "database_version"
    | "fleet_already_runs"
    | "fleet_not_running"
    | "issue_not_found"
    | "run_not_found"
    | "invalid_order"
    | "listen_failed"
    | "request_failed"
    | "unauthorized"
    | "missing_dependency"
    | "unsupported_node";

  constructor(code: FleetError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
