import { isJsonObject } from "../../../rpc/json.ts";
import { UnexpectedAnswerError } from "../../../rpc/errors.ts";

/** The shape that our code needs. A field whose name ends in `?` may be absent or null. */
type Shape = "text" | "number" | readonly [Shape] | { readonly [field: string]: Shape };

const ANY_OBJECT: Shape = {};
const TURNS = { "turns?": [{ id: "text" }] } as const;
const THREAD: Shape = { thread: { id: "text", ...TURNS } };
const TURN: Shape = { turn: { id: "text" } };
const PAGE: Shape = { data: [ANY_OBJECT], "nextCursor?": "text" };

/**
 * The fields of answers that our code reads, by method. Fields that are only passed to the caller are not listed,
 * because they differ between server versions.
 */
const ANSWERS: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    initialize: ANY_OBJECT,
    "thread/start": THREAD,
    "thread/resume": THREAD,
    "thread/fork": THREAD,
    "thread/read": { thread: { ...TURNS } },
    "thread/metadata/update": { thread: ANY_OBJECT },
    "thread/unsubscribe": ANY_OBJECT,
    "thread/list": PAGE,
    "thread/turns/list": { data: [{ id: "text" }] },
    "turn/start": TURN,
    "turn/steer": { turnId: "text" },
    "review/start": { turn: { id: "text" }, "reviewThreadId?": "text" },
    "model/list": PAGE,
    "mcpServerStatus/list": PAGE,
    "mcpServer/oauth/login": ANY_OBJECT,
    "account/login/start": ANY_OBJECT,
    "account/rateLimits/read": { rateLimits: ANY_OBJECT, "rateLimitsByLimitId?": ANY_OBJECT },
    "command/exec": { exitCode: "number", "stdout?": "text", "stderr?": "text" },
    "configRequirements/read": ANY_OBJECT,
    "fs/readFile": { dataBase64: "text" },
    "fs/readDirectory": { entries: [ANY_OBJECT] },
    "fs/watch": ANY_OBJECT,
    "skills/list": { data: [ANY_OBJECT] },
    fuzzyFileSearch: { files: [ANY_OBJECT] },
  } satisfies Record<string, Shape>),
);

/** Throws if our code cannot read the answer. Does not check anything else. */
export function checkAnswer(method: string, result: unknown): void {
  const shape = ANSWERS.get(method);
  const wrong = shape && mismatch(shape, result, "result");
  if (wrong !== undefined) throw new UnexpectedAnswerError(method, wrong);
}

/** Describes the first mismatch; `undefined` if the value fits. */
function mismatch(shape: Shape, value: unknown, at: string): string | undefined {
  if (shape === "text") return typeof value === "string" ? undefined : `${at} is not a string`;
  if (shape === "number") return typeof value === "number" ? undefined : `${at} is not a number`;
  if (isList(shape)) return Array.isArray(value) ? firstOf(value, shape[0], at) : `${at} is not a list`;
  if (!isJsonObject(value)) return `${at} is not an object`;
  for (const [name, inner] of Object.entries(shape)) {
    const field = name.endsWith("?") ? name.slice(0, -1) : name;
    const item = value[field];
    if (field !== name && (item === undefined || item === null)) continue;
    const wrong = mismatch(inner, item, `${at}.${field}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function firstOf(list: readonly unknown[], shape: Shape, at: string): string | undefined {
  for (const [index, item] of list.entries()) {
    const wrong = mismatch(shape, item, `${at}[${index}]`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
