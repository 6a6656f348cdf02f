import { createHash } from "node:crypto";
import type { Json } from "../../domain/json.ts";
import type { Tokens } from "../../domain/tokens.ts";
import type { Row } from "../database/database.ts";

/** The time of the database. Tests move it. */
export const NOW = "codexwright_jobs.job_now()";

export function textOf(row: Row, column: string): string {
  return optionalText(row, column) ?? "";
}

export function optionalText(row: Row, column: string): string | null {
  const value = row[column];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" ? value.toString() : null;
}

/** Drivers return `bigint` as a text, a number or a BigInt. */
export function numberOf(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

export function optionalNumber(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : Number(row[column]);
}

export function timeOf(row: Row, column: string): string {
  return new Date(row[column] as Date | string).toISOString();
}

export function optionalTime(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : timeOf(row, column);
}

/** The value of a column with JSON; null if there is none. Only we write these columns. */
export function jsonOf(row: Row, column: string): unknown {
  const text = optionalText(row, column);
  return text === null ? null : JSON.parse(text);
}

export function tokensOf(row: Row): Tokens {
  return {
    inputTokens: numberOf(row, "input_tokens"),
    cachedInputTokens: numberOf(row, "cached_input_tokens"),
    outputTokens: numberOf(row, "output_tokens"),
    totalTokens: numberOf(row, "total_tokens"),
  };
}

/** The parameters for the four columns of tokens. NaN and infinity count as 0. */
export function tokenValues(tokens: Tokens): number[] {
  return [tokens.inputTokens, tokens.cachedInputTokens, tokens.outputTokens, tokens.totalTokens].map((n) =>
    Number.isFinite(n) ? Math.trunc(Math.min(Math.max(n, 0), Number.MAX_SAFE_INTEGER / 1024)) : 0,
  );
}

/** A number for an `integer` column. */
export function integer(value: number): number {
  return Number.isFinite(value) ? Math.trunc(Math.min(Math.max(value, -2_000_000_000), 2_000_000_000)) : 0;
}

export function optionalInteger(value: number | null): number | null {
  return value === null ? null : integer(value);
}

/** A time for a column, or null if the text is not a time. */
export function timeValue(text: string | null | undefined): string | null {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function jsonValue(value: Json | object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The first `most` characters of a text. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  // A pair of surrogates stays whole.
  const end = text.codePointAt(most - 1) === text.charCodeAt(most - 1) ? most : most - 1;
  return `${text.slice(0, end)}\n[${text.length - end} more characters]`;
}

export function optionalBounded(text: string | null, most: number): string | null {
  return text === null ? null : bounded(text, most);
}

/** The longest id that is stored as it is: rows of an index are limited. */
const LONGEST_KEY = 256;
const LONG = "sha256:";

/** The key of an issue in the tables. A very long id is replaced by its hash. */
export function issueKey(id: string): string {
  if (Buffer.byteLength(id) <= LONGEST_KEY && !id.startsWith(LONG)) return id;
  return LONG + createHash("sha256").update(JSON.stringify(id)).digest("hex");
}
