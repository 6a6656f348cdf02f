import { schemaProblem, type InferInput, type InferOutput, type Schema } from "../../schema/schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { frozenParts } from "../json.ts";
import { eventType, type EventType } from "./event.ts";
import { checkKey, parseValue, type Slice } from "./slice.ts";

/** An append-only list that rollbacks do not affect. */
export interface Log<in I = never, out T = unknown> extends Slice<readonly T[]> {
  /** Creates the event that adds an entry: `session.dispatch(Findings.append(finding))`. */
  readonly append: EventType<I, T>;
}

/** A linked list, so that appending copies nothing. */
interface Node {
  readonly value?: unknown;
  readonly before: Node | undefined;
  readonly length: number;
}

const EMPTY: Node = { before: undefined, length: 0 };

/**
 * Arrays that were read, by node. Nodes are immutable, so the array of a node never changes. The references are weak:
 * all nodes stay alive, and keeping one array for each node would use quadratic memory.
 */
const lists = new WeakMap<Node, WeakRef<readonly unknown[]>>();

/** Defines an append-only slice whose entries match the schema. Its event type is `<key>/append`. */
export function log<S extends Schema>(key: string, schema: S): Log<InferInput<S>, InferOutput<S>> {
  checkKey(key);
  const problem = schemaProblem(`the schema of log ${JSON.stringify(key)}`, schema);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  const parseEntry = (value: unknown): unknown =>
    parseValue(`an entry of log ${JSON.stringify(key)}`, schema, value);
  const append = eventType<InferInput<S>, InferOutput<S>>(`${key}/append`, parseEntry);
  return Object.freeze({
    key,
    policy: "log" as const,
    version: 1,
    append,
    "~slice": {
      initial: EMPTY,
      reactions: [{ event: append, reduce: appended }],
      read: (stored: unknown) => listOf(stored as Node),
      parse: (value: unknown) => {
        if (!Array.isArray(value)) {
          throw new InvalidArgumentError(`the value of log ${JSON.stringify(key)} must be an array`);
        }
        return value.map(parseEntry).reduce(appended, EMPTY);
      },
    },
  });
}

function appended(before: Node, value: unknown): Node {
  return frozenParts({ value, before, length: before.length + 1 });
}

function listOf(node: Node): readonly unknown[] {
  const known = lists.get(node)?.deref();
  if (known) return known;
  const list = Array.from<unknown>({ length: node.length });
  for (let at: Node | undefined = node; at && at.length > 0; at = at.before) list[at.length - 1] = at.value;
  Object.freeze(list);
  lists.set(node, new WeakRef(list));
  return list;
}
