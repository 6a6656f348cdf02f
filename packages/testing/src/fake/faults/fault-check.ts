import { METHODS } from "codexwright/protocol";
import { InvalidArgumentError } from "codexwright/rpc";
import { isJsonObject } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Check } from "codexwright/internal/options";
import { nearestName } from "codexwright/internal";
import { needed, shape } from "codexwright/internal";
import type { Fault, FaultKind } from "./faults.ts";
import { PLAYED_NOTIFICATIONS, PLAYED_REQUESTS } from "./messages.ts";

type Word = Exclude<FaultKind, object>;

const KINDS: readonly string[] = [
  "crash",
  "stall",
  "badLine",
  "hugeLine",
  "earlyEvents",
  "duplicate",
  "missing",
  "overload",
] satisfies Word[];

/**
 * The requests that the fault `earlyEvents` can apply to, each with the number of events that are sent before its
 * answer.
 */
export const EARLY_EVENTS: Readonly<Record<string, number>> = {
  "thread/start": 1,
  "thread/resume": 1,
  "thread/fork": 1,
  "turn/start": 4,
  "turn/interrupt": 2,
  "review/start": 4,
  "thread/compact/start": 2,
  "thread/shellCommand": 2,
};

/** Checks the form of a fault. Whether it can happen depends on the fake. */
export const FAULT: Check<Fault> = shape<Fault>({
  on: needed(is.text),
  nth: is.integer(1),
  fault: needed(is.anything),
});

const DELAY: Check<{ readonly delayMs: number }> = shape<{ readonly delayMs: number }>({
  delayMs: needed(is.milliseconds),
});

/** The messages that a fake receives and sends. */
export interface Played {
  /** The requests that it answers. */
  readonly methods: readonly string[];
  /** Whether its dialect sends this message. */
  readonly tells: (method: string) => boolean;
}

/**
 * Throws `invalid_argument` for a fault that can never happen. A test that relies on such a fault would pass by
 * accident.
 */
export function checkFaults(faults: readonly Fault[], played: Played): void {
  for (const [at, fault] of faults.entries()) checkFault(`faults[${at}]`, fault, played);
}

function checkFault(at: string, { on, fault }: Fault, played: Played): void {
  const message = messageOf(`${at}.on`, on, played);
  const kind: unknown = fault;
  if (isJsonObject(kind)) {
    return is.checkValue(DELAY, kind, { call: "fakeAppServer()", path: `${at}.fault` });
  }
  if (typeof kind !== "string" || !KINDS.includes(kind)) {
    const meant = typeof kind === "string" ? didYouMean(kind, KINDS) : "";
    throw invalid(`${at}.fault`, kind, `must be ${KINDS.join(", ")} or { delayMs }${meant}`);
  }
  if (kind === "overload" && message !== "request") {
    throw invalid(`${at}.fault`, kind, `applies to client requests, and ${on} is a ${message}`);
  }
  if (kind === "earlyEvents" && !Object.hasOwn(EARLY_EVENTS, on)) {
    const followed = Object.keys(EARLY_EVENTS).join(", ");
    throw invalid(`${at}.fault`, kind, `applies to answers that events follow: those to ${followed}`);
  }
}

/** Returns the kind of a message. Throws if the fake never receives or sends it. */
function messageOf(
  at: string,
  on: string,
  { methods, tells }: Played,
): "request" | "notification" | "server request" {
  const requests: readonly string[] = PLAYED_REQUESTS.filter(tells);
  const notifications: readonly string[] = ["delta", ...PLAYED_NOTIFICATIONS.filter(tells)];
  if (methods.includes(on)) return "request";
  if (requests.includes(on)) return "server request";
  if (notifications.includes(on)) return "notification";
  if (Object.hasOwn(METHODS.clientRequests, on)) {
    throw invalid(at, on, "is not supported by this fake: `methods` lists the requests that it answers");
  }
  if (Object.hasOwn(METHODS.clientNotifications, on)) {
    throw invalid(at, on, "is a client notification, for which there are no faults");
  }
  if (Object.hasOwn(METHODS.serverNotifications, on) || Object.hasOwn(METHODS.serverRequests, on)) {
    throw invalid(at, on, "is never sent by this fake");
  }
  throw invalid(
    at,
    on,
    `is not the name of a message${didYouMean(on, [...methods, ...requests, ...notifications])}`,
  );
}

function didYouMean(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? "" : `: did you mean ${JSON.stringify(nearest)}?`;
}

function invalid(what: string, value: unknown, problem: string): InvalidArgumentError {
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 64)) : typeof value;
  const got = typeof value === "number" ? String(value) : shown;
  return new InvalidArgumentError(`${what} is ${got}: it ${problem}`);
}
