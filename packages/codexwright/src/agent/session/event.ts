import {
  issueLines,
  schemaProblem,
  validateNow,
  type InferInput,
  type InferOutput,
  type Schema,
} from "../../schema/schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { frozenCopy } from "../json.ts";

/** Something that happened: what a session's state is made of. */
export interface SessionEvent<out P = unknown> {
  readonly type: string;
  readonly payload: P;
}

/** A kind of event. Call it with a payload to make one. */
export interface EventType<in I = never, out P = unknown> {
  (payload: I): SessionEvent<P>;
  readonly type: string;
  /** Validates and freezes a payload, as calling does; throws `invalid_argument`. */
  readonly parse: (payload: unknown) => P;
}

/** The prefix of the events that sessions make themselves. */
export const OWN_EVENTS = "session/";

/** Only what an event type made has been validated. */
const makers = new WeakMap<SessionEvent, EventType>();

/** What made an event; undefined for an object that only looks like one. */
export function makerOf(made: SessionEvent): EventType | undefined {
  return makers.get(made);
}

/**
 * Defines a kind of event by its name and the schema of its payload.
 *
 * The name is what is stored: keep it over versions. Payloads are JSON, are validated when the event is made and again
 * when a stored session is read, so a schema must take what it gives.
 */
export function event<S extends Schema>(type: string, schema: S): EventType<InferInput<S>, InferOutput<S>> {
  if (type === "" || type.startsWith(OWN_EVENTS)) {
    throw new InvalidArgumentError(
      `the event type ${JSON.stringify(type)} must be a name that does not start with ${OWN_EVENTS}`,
    );
  }
  const problem = schemaProblem(`the schema of event ${JSON.stringify(type)}`, schema);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return eventType(type, (payload) => parsePayload(type, schema, payload));
}

/** An event type with a validation of its own. */
export function eventType<I, P>(type: string, parse: (payload: unknown) => P): EventType<I, P> {
  const make = (payload: I): SessionEvent<P> => {
    const created = Object.freeze({ type, payload: parse(payload) });
    makers.set(created, self);
    return created;
  };
  const self = Object.freeze(Object.assign(make, { type, parse }));
  return self;
}

function parsePayload<S extends Schema>(type: string, schema: S, payload: unknown): InferOutput<S> {
  const what = `the payload of event ${JSON.stringify(type)}`;
  const checked = validateNow(what, schema, payload);
  if (checked.ok) return frozenCopy(what, checked.value);
  throw new InvalidArgumentError(`${what} is invalid:\n${issueLines(checked.issues)}`);
}
