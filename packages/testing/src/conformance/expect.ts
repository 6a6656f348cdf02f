import { CodexError } from "codexwright/rpc";
import { handled } from "./handled.ts";

/** Thrown when an expectation of a scenario was not met. */
export class ExpectationError extends CodexError {
  readonly code = "expectation_failed";
}

/** A partial value: objects may have more keys, lists must have the same length, a RegExp tests a string. */
export type Pattern =
  | RegExp
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Pattern[]
  | { readonly [key: string]: Pattern };

/** Throws unless the condition holds. */
export function expectThat(condition: boolean, statement: string): asserts condition {
  if (!condition) throw new ExpectationError(`expected: ${statement}`);
}

/** Throws unless the value matches the pattern. */
export function expectMatch(actual: unknown, pattern: Pattern, what: string): void {
  const difference = differenceOf(actual, pattern, what);
  if (difference !== undefined) throw new ExpectationError(difference);
}

/** Throws unless the value is defined; returns it. */
export function expectDefined<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new ExpectationError(`expected ${what}, got nothing`);
  return value;
}

/** Throws unless the promise rejects with an error that matches the pattern. */
export function expectRejection(promise: Promise<unknown>, pattern: Pattern, what: string): Promise<void> {
  return handled(
    promise.then(
      (result) => {
        throw new ExpectationError(`expected ${what} to be rejected, got ${show(result)}`);
      },
      (error: unknown) => expectMatch(error, pattern, `the error of ${what}`),
    ),
  );
}

function differenceOf(actual: unknown, pattern: Pattern, where: string): string | undefined {
  if (pattern instanceof RegExp) {
    if (typeof actual === "string" && pattern.test(actual)) return undefined;
    return `expected ${where} to match ${String(pattern)}, got ${show(actual)}`;
  }
  if (typeof pattern !== "object" || pattern === null) {
    if (Object.is(actual, pattern)) return undefined;
    return `expected ${where} to be ${show(pattern)}, got ${show(actual)}`;
  }
  if (typeof actual !== "object" || actual === null || Array.isArray(actual) !== Array.isArray(pattern)) {
    return `expected ${where} to be like ${show(pattern)}, got ${show(actual)}`;
  }
  if (Array.isArray(pattern) && (actual as readonly unknown[]).length !== pattern.length) {
    return `expected ${where} to have ${pattern.length} entries, got ${show(actual)}`;
  }
  for (const [key, part] of Object.entries(pattern)) {
    const inner = differenceOf((actual as Record<string, unknown>)[key], part as Pattern, `${where}.${key}`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function show(value: unknown): string {
  const text = value instanceof Error ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
