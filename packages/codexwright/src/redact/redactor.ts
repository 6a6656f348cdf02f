import { isJsonObject } from "../rpc/json.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { latin1Of } from "./bytes.ts";
import { hasKeyword } from "./rules/matcher.ts";
import { fieldKind, isSecretEnv, isSecretFlag } from "./secret-fields.ts";
import { isPlaceholder } from "./placeholders.ts";
import { SecretStore, type Origin } from "./secret-store.ts";

/** Shorter values are taken away where they stand, but not looked for elsewhere: they would be found everywhere. */
const SHORTEST_LEARNED = 6;

/** What is nested deeper is not looked through, and goes: a message could be deeper than the stack is high. */
const DEEPEST = 256;
const TOO_DEEP = "[removed: nested too deep]";

type Wire = Readonly<Record<string, unknown>>;

/** A value that is one word with digits, as tokens are. */
const LONE_VALUE = /^(?=\D{0,64}\d)[\w.+/=:~-]{14,256}$/;

/** So many requests for secret input may be open; of the others, every answer is taken for a secret. */
const MOST_QUESTIONS = 1_024;

/** Takes secrets out of messages; their structure stays. */
export class Redactor {
  readonly store: SecretStore;
  /** Ids of the secret questions of each open request for user input. */
  readonly #questions = new Map<string, ReadonlySet<string>>();
  #forgotQuestions = false;
  /** Who sent what is being looked at. */
  #from: Origin = "own";

  /** @param env an environment whose variables with names of secrets are secrets */
  constructor(secrets: readonly (string | RegExp)[], env: Readonly<Record<string, string | undefined>>) {
    this.store = new SecretStore(secrets.filter((secret) => secret instanceof RegExp));
    for (const secret of secrets) {
      if (secret === "") throw new InvalidArgumentError("an empty text cannot be a secret: leave it out");
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

  /** Any value that JSON can hold; a string in it that is a secret by its name or by its look goes. */
  json(value: unknown, from: Origin): unknown {
    return this.#settled(from, () => this.#value(value, []));
  }

  text(text: string, from: Origin): string {
    return this.#settled(from, () => this.store.clean(text, from));
  }

  /** Does it again if it taught of a secret: that may stand before the place which gave it away. */
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

  /** @param path the last names that lead to it */
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
        // `{ keyPath, value }` of a config edit, `{ name, value }` of a header: the name is beside the value.
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

  /** Whether a value is a secret beside the name of its member, as it would be in a text: `"adafruit_key": "…"`. */
  #isSecretBeside(name: string, value: string): boolean {
    if (!LONE_VALUE.test(value) || !hasKeyword(name)) return false;
    const start = name.length + 2;
    const { ranges } = this.store.find(`${name}="${value}"`);
    return ranges.some((range) => range.start === start && range.end === start + value.length);
  }

  /** A secret by its place. The scheme of an authorization is not one. */
  #whole(value: string): string {
    const [, scheme = "", secret = value] = /^((?:bearer|basic|token)\s+)(.+)$/is.exec(value) ?? [];
    if (secret === "" || isPlaceholder(secret)) return value;
    if (secret.length >= SHORTEST_LEARNED && !isPlain(secret)) this.store.learn(secret, this.#from);
    return scheme + this.#placeholder(secret);
  }

  /** The value of an environment variable is nobody's business; it is looked for elsewhere if it seems a secret. */
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

  /** The ids of the questions whose answers this message holds and nobody may see. */
  #secretAnswers(
    connection: number,
    direction: "in" | "out",
    { id, method, params, result }: Wire,
  ): ReadonlySet<string> | "all" | undefined {
    // An id that is not one of the protocol's may be deeper than the stack is high.
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

/** `["Authorization", "…"]`, among headers. */
function isHeaderPair(pair: readonly unknown[], index: number, path: readonly string[]): boolean {
  const [name] = pair;
  if (pair.length !== 2 || index !== 1 || typeof name !== "string") return false;
  return /headers$/i.test(path.at(-1) ?? "") && fieldKind([...path, name]) === "secret";
}

/** Words and numbers that are everywhere. */
function isPlain(value: string): boolean {
  return /^(?:true|false|null|none|undefined|\d{1,6})$/i.test(value);
}

function looksRandom(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[./~]/.test(value);
}
