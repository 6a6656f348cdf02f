import { isJsonObject } from "../rpc/json.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { latin1Of } from "./bytes.ts";
import { hasKeyword } from "./rules/matcher.ts";
import { fieldKind, isSecretEnv, isSecretFlag } from "./secret-fields.ts";
import { isPlaceholder } from "./placeholders.ts";
import { SecretStore, type Origin } from "./secret-store.ts";

/** Shorter values are redacted in place but not searched for elsewhere, because they would match everywhere. */
const SHORTEST_LEARNED = 6;

/**
 * Values that are nested deeper than this are removed without being read, because a message could be nested deeper than
 * the stack allows.
 */
const DEEPEST = 256;
const TOO_DEEP = "[removed: nested too deep]";

type Wire = Readonly<Record<string, unknown>>;

/** A value that is a single word with digits, like a token. */
const LONE_VALUE = /^(?=\D{0,64}\d)[\w.+/=:~-]{14,256}$/;

/**
 * The maximum number of open requests for secret input. If a request had to be dropped, every answer that matches no
 * known request is treated as secret.
 */
const MOST_QUESTIONS = 1_024;

/** Removes secrets from messages and keeps the structure of the messages. */
export class Redactor {
  readonly store: SecretStore;
  /** For each open request for user input, the ids of its secret questions. */
  readonly #questions = new Map<string, ReadonlySet<string>>();
  #forgotQuestions = false;
  /** The sender of the text that is being redacted. */
  #from: Origin = "own";

  /** @param env an environment; values of variables with secret names are secrets */
  constructor(secrets: readonly (string | RegExp)[], env: Readonly<Record<string, string | undefined>>) {
    this.store = new SecretStore(secrets.filter((secret) => secret instanceof RegExp));
    for (const secret of secrets) {
      if (secret === "") throw new InvalidArgumentError("a secret must not be an empty string");
      if (typeof secret === "string") this.store.learn(secret, "own");
    }
    for (const [name, value = ""] of Object.entries(env))
      if (isSecretEnv(name) && value.length >= 8 && !isPlain(value)) this.store.learn(value, "own");
  }

  message(connection: number, direction: "in" | "out", message: Wire): Wire {
    const questions = this.#secretAnswers(connection, direction, message);
    return this.#settled(direction === "out" ? "own" : "peer", () =>
      this.#object(
        questions ? withSecretAnswers(message, questions, (each) => this.#whole(each)) : message,
        [],
      ),
    );
  }

  /** Redacts a JSON value. A string in it is removed if its member name or its own shape marks it as a secret. */
  json(value: unknown, from: Origin): unknown {
    return this.#settled(from, () => this.#value(value, []));
  }

  text(text: string, from: Origin): string {
    return this.#settled(from, () => this.store.clean(text, from));
  }

  /**
   * Redacts a second time if the first pass learned a secret, because the secret may also appear earlier than the place
   * where it was found.
   */
  #settled<T>(from: Origin, redact: () => T): T {
    this.#from = from;
    const { known } = this.store;
    this.store.seal();
    const before = known.added;
    const redacted = redact();
    if (known.added === before) return redacted;
    this.store.seal();
    return redact();
  }

  /** @param path the names of the innermost members that lead to the value */
  #value(value: unknown, path: readonly string[], depth = 0): unknown {
    if (typeof value === "string") return this.#string(value, path);
    if (typeof value === "number") return this.#number(value);
    if (depth > DEEPEST && typeof value === "object" && value !== null) return TOO_DEEP;
    if (Array.isArray(value))
      return value.map((each, index) =>
        typeof each === "string" && (isSecretFlag(value[index - 1]) || isHeaderPair(value, index, path))
          ? this.#whole(each)
          : this.#value(each, path, depth + 1),
      );
    return isJsonObject(value) ? this.#object(value, path, depth) : value;
  }

  #object(object: Wire, path: readonly string[], depth = 0): Wire {
    const { keyPath, name } = object;
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => {
        // In a config edit `{ keyPath, value }` and a header `{ name, value }`, the name is in a member next to the
        // value.
        const label = key === "value" ? (keyPath ?? name) : undefined;
        const at = [...path.slice(-2), typeof label === "string" ? label : key];
        return [this.#clean(key), this.#value(value, at, depth + 1)];
      }),
    );
  }

  #string(value: string, path: readonly string[]): string {
    const kind = fieldKind(path);
    if (kind === "secret") return this.#whole(value);
    if (kind === "env") return this.#env(path.at(-1)?.split(".").at(-1) ?? "", value);
    const name = path.at(-1) ?? "";
    if (name.endsWith("Base64")) return this.#base64(value);
    const clean = this.#clean(value);
    return clean === value && this.#isSecretBeside(name, value) ? this.#whole(value) : clean;
  }

  /** Whether the value would be a secret if it stood next to its member name in a text: `"adafruit_key": "…"`. */
  #isSecretBeside(name: string, value: string): boolean {
    if (!LONE_VALUE.test(value) || !hasKeyword(name)) return false;
    const start = name.length + 2;
    const { ranges } = this.store.find(`${name}="${value}"`);
    return ranges.some((range) => range.start === start && range.end === start + value.length);
  }

  /** Redacts a value that is a secret because of its field. The authorization scheme is kept. */
  #whole(value: string): string {
    const [, scheme = "", secret = value] = /^((?:bearer|basic|token)\s+)(.+)$/is.exec(value) ?? [];
    if (secret === "" || isPlaceholder(secret)) return value;
    if (secret.length >= SHORTEST_LEARNED && !isPlain(secret)) this.store.learn(secret, this.#from);
    return scheme + this.#placeholder(secret);
  }

  /**
   * Redacts the value of any environment variable. The value is searched for elsewhere only if it looks like a secret.
   */
  #env(name: string, value: string): string {
    if (value === "" || isPlaceholder(value)) return value;
    if (isSecretEnv(name) || looksRandom(value)) return this.#whole(value);
    return this.#placeholder(value);
  }

  #base64(value: string): string {
    const bytes = latin1Of(value);
    if (bytes === undefined) return this.#clean(value);
    const clean = this.#clean(bytes);
    return clean === bytes ? value : btoa(clean);
  }

  #number(value: number): number | string {
    const text = String(value);
    const [range] = text.length >= SHORTEST_LEARNED ? this.store.find(text).ranges : [];
    return range?.start === 0 && range.end === text.length ? this.#placeholder(text) : value;
  }

  #clean(text: string): string {
    return this.store.clean(text, this.#from);
  }

  #placeholder(secret: string): string {
    return this.store.placeholder(secret, this.#from);
  }

  /** Returns the ids of the questions whose answers in this message are secret. */
  #secretAnswers(
    connection: number,
    direction: "in" | "out",
    { id, method, params, result }: Wire,
  ): ReadonlySet<string> | "all" | undefined {
    // An id that is an object may be nested deeper than the stack allows.
    const key = `${connection} ${typeof id === "object" ? "" : JSON.stringify(id)}`;
    if (direction === "in" && method === "item/tool/requestUserInput" && isJsonObject(params)) {
      const questions = Array.isArray(params["questions"]) ? params["questions"].filter(isJsonObject) : [];
      const secret = questions
        .filter((each) => each["isSecret"] === true && typeof each["id"] !== "object")
        .map((each) => String(each["id"]));
      if (secret.length > 0) this.#remember(key, new Set(secret));
    }
    if (direction !== "out" || method !== undefined || result === undefined) return undefined;
    const questions = this.#questions.get(key);
    this.#questions.delete(key);
    return questions ?? (this.#forgotQuestions ? "all" : undefined);
  }

  #remember(request: string, questions: ReadonlySet<string>): void {
    this.#questions.set(request, questions);
    const [oldest] = this.#questions.size > MOST_QUESTIONS ? this.#questions.keys() : [];
    if (oldest === undefined) return;
    this.#questions.delete(oldest);
    this.#forgotQuestions = true;
  }
}

function withSecretAnswers(
  message: Wire,
  questions: ReadonlySet<string> | "all",
  whole: (answer: string) => string,
): Wire {
  const { result } = message;
  if (!isJsonObject(result) || !isJsonObject(result["answers"])) return message;
  const hide = (value: unknown, depth = 0): unknown => {
    if (typeof value === "string") return whole(value);
    if (depth > DEEPEST && typeof value === "object" && value !== null) return TOO_DEEP;
    if (Array.isArray(value)) return value.map((each) => hide(each, depth + 1));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hide(each, depth + 1)]));
  };
  const hidden = Object.fromEntries(
    Object.entries(result["answers"]).map(([id, answer]) => [
      id,
      questions === "all" || questions.has(id) ? hide(answer) : answer,
    ]),
  );
  return { ...message, result: { ...result, answers: hidden } };
}

/** Matches `["Authorization", "…"]` among headers. */
function isHeaderPair(pair: readonly unknown[], index: number, path: readonly string[]): boolean {
  const [name] = pair;
  if (pair.length !== 2 || index !== 1 || typeof name !== "string") return false;
  return /headers$/i.test(path.at(-1) ?? "") && fieldKind([...path, name]) === "secret";
}

/** Matches words and numbers that are too common to be secrets. */
function isPlain(value: string): boolean {
  return /^(?:true|false|null|none|undefined|\d{1,6})$/i.test(value);
}

function looksRandom(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[./~]/.test(value);
}
