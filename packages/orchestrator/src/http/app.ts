import { Hono, type Context } from "hono";
import { apiEvent } from "../observe/api-issue.ts";
import { apiState } from "../observe/api-state.ts";
import { readBody } from "./body.ts";
import { eventStream } from "./event-stream.ts";
import { findIssue, notFound, readIssue } from "./find-issue.ts";
import { check, requireToken, type Door } from "./guard.ts";
import { byOf, flagOf, ISSUE_ORDERS, lineOf, only, orderOf } from "./order-body.ts";
import { errorPage, page, PAGE_POLICY } from "./page.ts";
import type { HttpLimits, ServedFleet } from "./port.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { within } from "./within.ts";

export interface AppOptions {
  readonly fleet: ServedFleet;
  readonly door: Door;
  readonly limits: Required<HttpLimits>;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

type Handler = (context: Context) => Promise<Response> | Response;

const PAGE_EVENTS = 20;
const MOST_EVENTS = 1000;

/** The routes of the API and of the page. */
export function makeApp({ fleet, door, limits, closing }: AppOptions): Hono {
  const app = new Hono();
  const { store, scope } = fleet;
  let streams = 0;

  app.use(async (context, next) => {
    const target = targetOf(context);
    check({ method: context.req.method, target, header: (name) => context.req.header(name) }, door);
    await next();
    for (const [name, value] of HEADERS) context.res.headers.set(name, value);
  });
  app.notFound(() => {
    throw new Refusal(404, "not_found", "there is nothing at this path");
  });
  app.onError((error, context) => {
    const refusal = refusalOf(error);
    if (refusal.status === 500) void report(fleet, error);
    return answerError(context, refusal);
  });
  const route = (path: string, handlers: Readonly<Partial<Record<"GET" | "POST", Handler>>>): void => {
    const methods = Object.keys(handlers);
    for (const method of methods)
      app.on(method, path, (context) => handlers[method as "GET" | "POST"]!(context));
    app.all(path, (context) => {
      const refusal = new Refusal(405, "method_not_allowed", `use ${methods.join(" or ")}`);
      context.header("allow", methods.join(", "));
      return answerError(context, refusal);
    });
  };
  const readState = async (): Promise<ReturnType<typeof apiState>> => {
    const snapshot = await within(limits.readMs, "reading the state", () => store.read(scope));
    return apiState(snapshot, fleet.about(), Date.now());
  };

  route("/", {
    GET: async (context) => {
      context.header("content-security-policy", PAGE_POLICY);
      try {
        const [state, events] = await Promise.all([
          readState(),
          within(limits.readMs, "reading the events", () => store.lastEvents(scope, PAGE_EVENTS)),
        ]);
        return context.html(page(state, events.toReversed()));
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal.status === 500) void report(fleet, error);
        return context.html(errorPage(`${refusal.code}: ${refusal.message}`), refusal.status);
      }
    },
  });
  route("/api/v1/state", { GET: async (context) => context.json(await readState()) });
  route("/api/v1/events", {
    GET: async (context) => {
      const last = context.req.query("last");
      if (last !== undefined) {
        const most = Math.min(MOST_EVENTS, wholeNumber("last", last));
        const events = await within(limits.readMs, "reading the events", () => store.lastEvents(scope, most));
        return context.json({ events: events.map(apiEvent) });
      }
      const sent = context.req.header("last-event-id") ?? context.req.query("after");
      const after =
        sent === undefined ? await lastSeq(fleet, limits.readMs) : BigInt(wholeNumber("Last-Event-ID", sent));
      if (streams >= limits.maxStreams) {
        throw new Refusal(503, "too_many_streams", `${limits.maxStreams} streams of events are open`);
      }
      streams += 1;
      const abort = new AbortController();
      const signal = AbortSignal.any([closing, abort.signal]);
      const done = (): void => {
        if (abort.signal.aborted) return;
        streams -= 1;
        abort.abort();
      };
      const stream = eventStream(store.events(scope, after, signal), {
        heartbeatMs: limits.heartbeatMs,
        signal: closing,
        done,
      });
      return context.body(stream, 200, { "content-type": "text/event-stream; charset=utf-8" });
    },
  });
  route("/api/v1/refresh", {
    POST: async (context) => {
      only(await readBody(context.req.raw), []);
      const { coalesced } = fleet.refresh();
      const requested_at = new Date().toISOString();
      return context.json({ queued: true, coalesced, requested_at, operations: ["poll", "reconcile"] }, 202);
    },
  });
  route("/api/v1/pause", {
    POST: async (context) => {
      const body = await readBody(context.req.raw);
      only(body, ["by", "reason"]);
      await store.pause(scope, byOf(body), lineOf(body, "reason"));
      return context.json({ accepted: true, order: "pause" }, 202);
    },
  });
  route("/api/v1/resume", {
    POST: async (context) => {
      const body = await readBody(context.req.raw);
      only(body, ["by"]);
      await store.resume(scope, byOf(body));
      fleet.refresh();
      return context.json({ accepted: true, order: "resume" }, 202);
    },
  });
  route("/api/v1/drain", {
    POST: async (context) => {
      const body = await readBody(context.req.raw);
      only(body, ["by", "now"]);
      fleet.drain({ by: byOf(body), now: flagOf(body, "now") });
      return context.json({ accepted: true, order: "drain" }, 202);
    },
  });
  route("/api/v1/:issue", {
    GET: async (context) => {
      const name = issueOf(context);
      return context.json(
        await within(limits.readMs, "reading the issue", (signal) => readIssue(fleet, name, signal)),
      );
    },
  });
  route("/api/v1/:issue/explain", {
    GET: async (context) => {
      const name = issueOf(context);
      const found = await within(limits.explainMs, "explaining the issue", (signal) =>
        fleet.explain(name, signal),
      );
      if (found === undefined) throw notFound(name);
      return context.json(found);
    },
  });
  route("/api/v1/:issue/diff", {
    GET: async (context) => {
      // The contents of files are not for every user of this machine.
      requireToken({ header: (name) => context.req.header(name) }, door);
      const name = issueOf(context);
      const { issueId, identifier, runs, patch } = await within(
        limits.explainMs,
        "reading the changes",
        (signal) => fleet.changes(name, context.req.query("run"), signal),
      );
      return context.json({ issue_id: issueId, issue_identifier: identifier, runs, patch });
    },
  });
  for (const kind of ISSUE_ORDERS) {
    route(`/api/v1/:issue/${kind}`, {
      POST: async (context) => {
        const order = orderOf(kind, await readBody(context.req.raw));
        const name = issueOf(context);
        const found = await within(limits.explainMs, "finding the issue", (signal) =>
          findIssue(fleet, name, signal),
        );
        await within(limits.readMs, "storing the order", () => store.ask(scope, found.issueId, order));
        // A tick now, so that a freed issue does not wait for the next one.
        fleet.refresh();
        const { issueId: issue_id, identifier: issue_identifier } = found;
        return context.json({ accepted: true, order: kind, issue_id, issue_identifier }, 202);
      },
    });
  }
  return app;
}

/** Answers are for this reader only, and are not interpreted as another type. */
const HEADERS: readonly (readonly [string, string])[] = [
  ["cache-control", "no-store"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
];

function answerError(context: Context, { status, code, message }: Refusal): Response {
  for (const [name, value] of HEADERS) context.header(name, value);
  if (status === 401) context.header("www-authenticate", "Bearer");
  return context.json({ error: { code, message } }, status);
}

/** The path with its query. The host in front of it can be anything, also what `URL` does not accept. */
function targetOf(context: Context): string {
  const { url } = context.req;
  return url.slice(url.indexOf("/", "https://".length));
}

/** The name in the path. Identifiers can have any characters, so it is decoded only here. */
function issueOf(context: Context): string {
  const [, , , encoded = ""] = targetOf(context)
    .replace(/[?#].*/s, "")
    .split("/");
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Refusal(400, "invalid_request", "the path is not valid percent-encoded UTF-8");
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new Refusal(400, "invalid_request", `${name} must be a whole number ≥ 0`);
}

async function lastSeq({ store, scope }: ServedFleet, ms: number): Promise<bigint> {
  const [last] = await within(ms, "reading the events", () => store.lastEvents(scope, 1));
  return last?.seq ?? 0n;
}

/** Unexpected errors are written to the log of the fleet, not to the reader. */
async function report({ store, scope }: ServedFleet, error: unknown): Promise<void> {
  const message = `the HTTP API failed: ${error instanceof Error ? error.message : String(error)}`;
  await store.emit(scope, [{ event: "warning", message }]).catch(() => {});
}
