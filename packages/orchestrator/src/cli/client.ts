import { FleetError } from "../domain/errors.ts";
import type { Explanation } from "../domain/explanation.ts";
import type { Json } from "../domain/json.ts";
import { readEndpoint, type Endpoint } from "../http/endpoint.ts";
import type { ApiEvent, ApiIssue } from "../observe/api-issue.ts";
import type { ApiState } from "../observe/api-state.ts";
import { errorOf, stopped } from "./client-errors.ts";
import { requireWorkflow, type FleetPlace } from "./place.ts";
import { sentEvents } from "./sent-events.ts";

/** The order that was accepted, and the issue that it is about. */
export interface Accepted {
  readonly order: string;
  readonly issueId?: string;
  readonly identifier?: string;
}

/** The answer of `GET /api/v1/<identifier>/diff`. */
export interface ApiChanges {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly runs: readonly string[];
  readonly patch: string;
}

/** Orders about one issue. */
export type IssueOrder =
  | { readonly kind: "stop"; readonly reason?: string | undefined }
  | { readonly kind: "retry" }
  | { readonly kind: "clean" }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "answer"; readonly json: Json };

/** An explanation can ask the tracker, which may take 30 s. */
const PATIENCE_MS = 35_000;
const RECONNECT_MS = 1_000;

/** Reads a fleet that runs on this machine, and gives it orders, over its HTTP API. */
export class FleetClient {
  readonly url: string;
  readonly pid: number;
  readonly #place: FleetPlace;
  readonly #token: string;
  readonly #by: string;

  private constructor(place: FleetPlace, { url, pid, token }: Endpoint, by: string) {
    this.url = url;
    this.pid = pid;
    this.#place = place;
    this.#token = token;
    this.#by = by;
  }

  /** Finds the fleet. Rejects with `fleet_not_running`. `by` names the person who gives orders. */
  static async connect(place: FleetPlace, by: string): Promise<FleetClient> {
    const endpoint = await readEndpoint(place.stateFolder);
    if (endpoint) return new FleetClient(place, endpoint, by);
    requireWorkflow(place);
    throw stopped(place);
  }

  async state(signal?: AbortSignal): Promise<ApiState> {
    return (await this.#ask("/api/v1/state", {}, signal)) as ApiState;
  }

  async issue(name: string): Promise<ApiIssue> {
    return (await this.#ask(`/api/v1/${encodeURIComponent(name)}`)) as ApiIssue;
  }

  async explain(name: string): Promise<Explanation> {
    return (await this.#ask(`/api/v1/${encodeURIComponent(name)}/explain`)) as Explanation;
  }

  /** The changes of a run, or of all runs of an issue. */
  async diff(name: string, runId?: string): Promise<ApiChanges> {
    const query = runId === undefined ? "" : `?run=${encodeURIComponent(runId)}`;
    const headers = { authorization: `Bearer ${this.#token}` };
    return (await this.#ask(`/api/v1/${encodeURIComponent(name)}/diff${query}`, { headers })) as ApiChanges;
  }

  async pause(reason: string | undefined): Promise<Accepted> {
    return await this.#order("pause", { reason: reason ?? null });
  }

  async resume(): Promise<Accepted> {
    return await this.#order("resume", {});
  }

  async drain(options: { readonly now: boolean }): Promise<Accepted> {
    return await this.#order("drain", options);
  }

  async order(name: string, { kind, ...body }: IssueOrder): Promise<Accepted> {
    return await this.#order(`${encodeURIComponent(name)}/${kind}`, body);
  }

  /** The last events, oldest first. */
  async lastEvents(most: number): Promise<readonly ApiEvent[]> {
    const { events } = (await this.#ask(`/api/v1/events?last=${most}`)) as { events: readonly ApiEvent[] };
    return events;
  }

  /**
   * Events after this one, then new ones as they happen. Without `after`, only new ones. Ends if the fleet stops or the
   * signal aborts; a connection that was lost is made again.
   */
  async *events(after: string | undefined, signal: AbortSignal): AsyncGenerator<ApiEvent, void, undefined> {
    let last = after;
    while (!signal.aborted) {
      try {
        const response = await this.#send(
          "/api/v1/events",
          { headers: last === undefined ? {} : { "last-event-id": last } },
          signal,
        );
        if (!response.ok || response.body === null) throw await errorOf(response);
        for await (const event of sentEvents(response.body)) {
          last = event.seq;
          yield event;
        }
      } catch (error) {
        if (signal.aborted || (error as FleetError).code === "fleet_not_running") return;
        if (error instanceof FleetError && error.code !== "database_unavailable") throw error;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, RECONNECT_MS);
        signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  }

  async #order(path: string, body: Readonly<Record<string, unknown>>): Promise<Accepted> {
    const answer = (await this.#ask(`/api/v1/${path}`, {
      method: "POST",
      body: JSON.stringify({ ...body, by: this.#by }),
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
    })) as { order: string; issue_id?: string; issue_identifier?: string };
    const { order, issue_id, issue_identifier } = answer;
    return {
      order,
      ...(issue_id !== undefined && { issueId: issue_id }),
      ...(issue_identifier !== undefined && { identifier: issue_identifier }),
    };
  }

  async #ask(path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<unknown> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const response = await this.#send(path, init, signal ? AbortSignal.any([signal, limit]) : limit);
    if (!response.ok) throw await errorOf(response);
    try {
      return await response.json();
    } catch (cause) {
      throw new FleetError("request_failed", `${this.url} does not answer as a fleet`, { cause });
    }
  }

  async #send(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const isOnLoopback = /^http:\/\/(?:127\.|localhost|\[::1\])/.test(this.url);
    // Elsewhere, reads need the token too.
    const token = isOnLoopback ? {} : { authorization: `Bearer ${this.#token}` };
    const headers = { ...token, ...(init.headers as Record<string, string> | undefined) };
    try {
      return await fetch(`${this.url}${path}`, { ...init, headers, signal, redirect: "error" });
    } catch (cause) {
      if (signal.aborted) throw late(signal.reason, this.url);
      throw stopped(this.#place, { cause });
    }
  }
}

function late(reason: unknown, url: string): unknown {
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return isLate
    ? new FleetError("request_failed", `${url} did not answer within ${PATIENCE_MS / 1000} s`)
    : reason;
}
