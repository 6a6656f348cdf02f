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

/** An event that changes the state of a session. */
export interface SessionEvent<out P = unknown> {
  readonly type: string;
  readonly payload: P;
}

/** A type of event. Call it with a payload to create an event. */
export interface EventType<in I = never, out P = unknown> {
  (payload: I): SessionEvent<P>;
  readonly type: string;
  /** Validates and freezes a payload, as calling the type does. Throws `invalid_argument`. */
  readonly parse: (payload: unknown) => P;
}

/** Prefix of the events that sessions create themselves. */
export const OWN_EVENTS = "session/";

/** Maps each event to the type that created it. Only events in this map were validated. */
const makers = new WeakMap<SessionEvent, EventType>();

/** Returns the type that created an event, or undefined for an object that only has the same shape. */
export function makerOf(made: SessionEvent): EventType | undefined {
  return makers.get(made);
}

/**
 * Defines a type of event by its name and the schema of its payload.
 *
 * The name is stored, so do not change it between versions. Payloads are JSON. They are validated when the event is
 * created and again when a stored session is read, so the schema must accept its own output.
 */
export function event<S extends Schema>(type: string, schema: S): EventType<InferInput<S>, InferOutput<S>> {
  if (type === "" || type.startsWith(OWN_EVENTS)) {
    throw new InvalidArgumentError(
      `the event type ${JSON.stringify(type)} must not be empty or start with ${OWN_EVENTS}`,
    );
  }
  const problem = schemaProblem(`the schema of event ${JSON.stringify(type)}`, schema);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return eventType(type, (payload) => parsePayload(type, schema, payload));
}

/** Creates an event type with a custom validation. */
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
