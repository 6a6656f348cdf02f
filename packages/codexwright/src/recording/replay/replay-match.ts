import { isJsonObject } from "../../rpc/json.ts";
import { requestTraits } from "../../protocol/traits/client-requests.ts";
import { isTimeField } from "../compare/normalize.ts";
import { isPlaceholder } from "../../redact/placeholders.ts";

/** Ids that a client chooses and the server repeats. */
const CLIENT_IDS = new Set(["processId", "watchId", "sessionId", "clientUserMessageId"]);
const PLACEHOLDER = /\[redacted:\d+\]/g;

type Pairs = [recorded: string, actual: string][];

/**
 * Maps recorded values to the values of this client: placeholders to the client's secrets, and recorded ids to the ids
 * that the client chooses. The mapping is one-to-one.
 */
export class Bindings {
  readonly #actual = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  /** The known secrets of the client. Leaves out secrets that are too short to search for. */
  get secrets(): string[] {
    return [...this.#actual]
      .filter(([recorded, actual]) => isPlaceholder(recorded) && actual.length >= 4)
      .map(([, actual]) => actual);
  }

  /**
   * Returns whether a client's message matches the recorded message. If it does, stores the client's values for the
   * recorded ones.
   */
  matches(recorded: Readonly<Record<string, unknown>>, actual: Readonly<Record<string, unknown>>): boolean {
    const pairs: Pairs = [];
    const { method } = recorded;
    if (method !== actual["method"] || !this.#bodies(recorded, actual, pairs)) return false;
    for (const [from, to] of pairs) {
      this.#actual.set(from, to);
      this.#recorded.set(to, from);
    }
    return true;
  }

  /** Replaces the recorded values in a server message by the values of this client. */
  translate(value: unknown): unknown {
    if (this.#actual.size === 0) return value;
    if (typeof value === "string")
      return (
        this.#actual.get(value) ?? value.replaceAll(PLACEHOLDER, (each) => this.#actual.get(each) ?? each)
      );
    if (Array.isArray(value)) return value.map((each) => this.translate(each));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.translate(each)]));
  }

  #bodies(
    recorded: Readonly<Record<string, unknown>>,
    actual: Readonly<Record<string, unknown>>,
    pairs: Pairs,
  ): boolean {
    // Whether the client sends the folder of a thread depends on where its server runs. That may be different in a
    // replay, so a folder that only one side has is ignored.
    const [left, right] =
      requestTraits(String(recorded["method"])).opens === "thread"
        ? [
            withoutLone(recorded["params"], actual["params"]),
            withoutLone(actual["params"], recorded["params"]),
          ]
        : [recorded["params"], actual["params"]];
    return (
      this.#same(left, right, "params", pairs) &&
      this.#same(recorded["result"], actual["result"], "result", pairs) &&
      this.#same(recorded["error"], actual["error"], "error", pairs)
    );
  }

  #same(recorded: unknown, actual: unknown, field: string, pairs: Pairs): boolean {
    if (typeof recorded === "string" && typeof actual === "string")
      return this.#sameText(recorded, actual, field, pairs);
    if (Array.isArray(recorded) && Array.isArray(actual))
      return (
        recorded.length === actual.length &&
        recorded.every((each, index) => this.#same(each, actual[index], field, pairs))
      );
    if (isJsonObject(recorded) && isJsonObject(actual)) {
      const keys = new Set([...Object.keys(recorded), ...Object.keys(actual)]);
      return [...keys].every((key) => {
        // A newer codexwright can still replay recordings of an older one.
        if (key === "version" && field === "clientInfo") return true;
        if (isTimeField(key, recorded[key]) && isTimeField(key, actual[key])) return true;
        return this.#same(recorded[key], actual[key], key, pairs);
      });
    }
    // A number that was redacted is recorded as a placeholder.
    if (typeof recorded === "string" && typeof actual === "number")
      return isPlaceholder(recorded) && this.#pair(recorded, String(actual), pairs);
    return recorded === actual;
  }

  #sameText(recorded: string, actual: string, field: string, pairs: Pairs): boolean {
    if (field.endsWith("Base64") && recorded !== actual) {
      const [left = "", right = ""] = [recorded, actual].map((each) =>
        Buffer.from(each, "base64").toString("latin1"),
      );
      return left !== recorded && this.#sameText(left, right, "", pairs);
    }
    if (CLIENT_IDS.has(field)) return this.#pair(recorded, actual, pairs);
    // Known placeholders are replaced and compared as text.
    const known = recorded.replaceAll(PLACEHOLDER, (each) => this.#actual.get(each) ?? each);
    const placeholders = known.match(PLACEHOLDER) ?? [];
    if (placeholders.length === 0) return known === actual;
    const found = between(known.split(PLACEHOLDER), actual);
    return !!found && placeholders.every((each, index) => this.#pair(each, found[index] ?? "", pairs));
  }

  #pair(recorded: string, actual: string, pairs: Pairs): boolean {
    const known = this.#actual.get(recorded) ?? pairs.find(([from]) => from === recorded)?.[1];
    const taken = this.#recorded.get(actual) ?? pairs.find(([, to]) => to === actual)?.[0];
    if (known === undefined && taken === undefined) {
      pairs.push([recorded, actual]);
      return true;
    }
    return known === actual && taken === recorded;
  }
}

/** Returns the params without `cwd` if the other params have no `cwd`. */
function withoutLone(params: unknown, others: unknown): unknown {
  if (!isJsonObject(params) || !isJsonObject(others) || others["cwd"] !== undefined) return params;
  const { cwd: _, ...rest } = params;
  return rest;
}

/**
 * Returns the parts of `whole` between these texts. `whole` must begin with the first text and end with the last one;
 * each part is as short as possible and not empty. Does not use a regular expression, because the author of a recording
 * could make it take very long.
 */
function between(texts: readonly string[], whole: string): string[] | undefined {
  const [first = "", ...rest] = texts;
  const last = rest.pop() ?? "";
  if (!whole.startsWith(first) || !whole.endsWith(last)) return undefined;
  const found: string[] = [];
  let at = first.length;
  for (const text of rest) {
    const next = whole.indexOf(text, at + 1);
    if (next === -1) return undefined;
    found.push(whole.slice(at, next));
    at = next + text.length;
  }
  const end = whole.length - last.length;
  return end > at ? [...found, whole.slice(at, end)] : undefined;
}
