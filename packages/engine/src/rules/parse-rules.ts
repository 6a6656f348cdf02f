import type { RuleVerdict } from "../core/ports.ts";
import { RulesError } from "./errors.ts";
import { splitWords } from "./split-words.ts";
import { tokensOf, type Fail, type Token } from "./tokens.ts";

/** Commands that start with these words. Each place of the pattern has one or more alternatives. */
export interface PrefixRule {
  readonly pattern: readonly (readonly string[])[];
  readonly decision: RuleVerdict["decision"];
  readonly justification: string | undefined;
}

type Value = string | number | boolean | readonly Value[] | null;

const DECISIONS: readonly string[] = ["allow", "prompt", "forbidden"];
/** Rules about other things than commands. They are read, but have no effect. */
const OTHER_RULES: ReadonlySet<string> = new Set(["network_rule", "host_executable"]);
const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["True", true],
  ["False", false],
  ["None", null],
]);
const KEYS: ReadonlySet<string> = new Set(["pattern", "decision", "justification", "match", "not_match"]);
const MAX_RULES = 10_000;
const MAX_DEPTH = 8;

/**
 * Reads a rules file. It understands calls with literal arguments, a small part of Starlark, and never evaluates code.
 *
 * @throws RulesError for anything else
 */
export function parseRules(source: string, file: string): PrefixRule[] {
  const fail: Fail = (line, problem) => {
    throw new RulesError(file, line, problem);
  };
  const reader = new Reader(tokensOf(source, fail), fail);
  const rules: PrefixRule[] = [];
  for (let call = reader.call(); call; call = reader.call()) {
    if (OTHER_RULES.has(call.name)) continue;
    if (call.name !== "prefix_rule") fail(call.line, `unknown function ${call.name}`);
    if (rules.length === MAX_RULES) fail(call.line, `more than ${MAX_RULES} rules`);
    const { line } = call;
    rules.push(ruleOf(call.args, (problem) => fail(line, problem)));
  }
  return rules;
}

/** Whether a rule matches a command. */
export function matches({ pattern }: PrefixRule, words: readonly string[]): boolean {
  return pattern.length <= words.length && pattern.every((each, at) => each.includes(words[at] ?? ""));
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #fail: Fail;
  #at = 0;

  constructor(tokens: readonly Token[], fail: Fail) {
    this.#tokens = tokens;
    this.#fail = fail;
  }

  /** Reads the next call of the file; `undefined` at its end. */
  call():
    | { readonly name: string; readonly line: number; readonly args: ReadonlyMap<string, Value> }
    | undefined {
    const { kind, text: name, line } = this.#next();
    if (kind === "end") return undefined;
    if (kind !== "name") this.#fail(line, `expected a rule, found ${name}`);
    this.#expect("(");
    const args = new Map<string, Value>();
    while (!this.#skip(")")) {
      const key = this.#next();
      if (key.kind !== "name") this.#fail(key.line, `expected the name of an argument, found ${key.text}`);
      this.#expect("=");
      if (args.has(key.text)) this.#fail(key.line, `the argument ${key.text} is repeated`);
      args.set(key.text, this.#value(0));
      if (!this.#skip(",")) {
        this.#expect(")");
        break;
      }
    }
    return { name, line, args };
  }

  #value(depth: number): Value {
    const token = this.#next();
    if (token.kind === "string") return token.text;
    if (token.kind === "number") return Number(token.text);
    const constant = token.kind === "name" ? CONSTANTS.get(token.text) : undefined;
    if (constant !== undefined) return constant;
    if (token.kind !== "mark" || token.text !== "[") {
      this.#fail(token.line, `expected a string or a list, found ${token.text}`);
    }
    if (depth === MAX_DEPTH) this.#fail(token.line, `lists are nested more than ${MAX_DEPTH} times`);
    const list: Value[] = [];
    while (!this.#skip("]")) {
      list.push(this.#value(depth + 1));
      if (!this.#skip(",")) {
        this.#expect("]");
        break;
      }
    }
    return list;
  }

  #next(): Token {
    const token = this.#tokens[this.#at] ?? { kind: "end", text: "the end of the file", line: 1 };
    this.#at++;
    return token;
  }

  #skip(mark: string): boolean {
    const token = this.#tokens[this.#at];
    const found = token?.kind === "mark" && token.text === mark;
    if (found) this.#at++;
    return found;
  }

  #expect(mark: string): void {
    const { line } = this.#tokens[this.#at] ?? { line: 1 };
    if (!this.#skip(mark)) this.#fail(line, `expected ${mark}, found ${this.#tokens[this.#at]?.text}`);
  }
}

function ruleOf(args: ReadonlyMap<string, Value>, fail: (problem: string) => never): PrefixRule {
  for (const key of args.keys()) if (!KEYS.has(key)) fail(`unknown argument ${key}`);
  const decision = args.get("decision") ?? "allow";
  if (typeof decision !== "string" || !DECISIONS.includes(decision)) {
    fail(`decision must be one of ${DECISIONS.join(", ")}`);
  }
  const justification = args.get("justification") ?? undefined;
  if (justification !== undefined && (typeof justification !== "string" || justification.trim() === "")) {
    fail("justification must be a text");
  }
  const rule: PrefixRule = {
    pattern: patternOf(args.get("pattern"), fail),
    decision: decision as PrefixRule["decision"],
    justification,
  };
  for (const example of examplesOf(args.get("match"), "match", fail)) {
    if (!matches(rule, example)) fail(`the rule does not match its example ${JSON.stringify(example)}`);
  }
  for (const example of examplesOf(args.get("not_match"), "not_match", fail)) {
    if (matches(rule, example)) fail(`the rule matches the example ${JSON.stringify(example)} of not_match`);
  }
  return rule;
}

function patternOf(value: Value | undefined, fail: (problem: string) => never): string[][] {
  const wrong = (): never => fail("pattern must be a list of texts, or of lists of texts, and not empty");
  if (!Array.isArray(value) || value.length === 0) return wrong();
  return value.map((each: Value) => {
    const alternatives: readonly Value[] = Array.isArray(each) ? each : [each];
    if (alternatives.length === 0) return wrong();
    return alternatives.map((text) => (typeof text === "string" && text !== "" ? text : wrong()));
  });
}

function examplesOf(value: Value | undefined, key: string, fail: (problem: string) => never): string[][] {
  if (value === undefined || value === null) return [];
  const wrong = (): never => fail(`${key} must be a list of commands`);
  if (!Array.isArray(value)) return wrong();
  return value.map((each: Value) => {
    const words = typeof each === "string" ? splitWords(each) : each;
    if (!Array.isArray(words) || words.length === 0) return wrong();
    return words.map((word: Value) => (typeof word === "string" ? word : wrong()));
  });
}
