import { isJsonObject } from "codexwright/internal";
import { parseJson } from "../depth.ts";
import type { WireObject } from "../wire-object.ts";

/** A finding of a reviewer. The members have the names of Codex's schema. */
export interface ReviewFinding {
  readonly title: string;
  readonly body: string;
  readonly priority: number | null;
  readonly confidence_score: number | null;
  readonly code_location: {
    readonly absolute_file_path: string;
    readonly line_range: { readonly start: number; readonly end: number };
  };
}

/** The answer of a reviewer. */
export interface ReviewOutput {
  readonly findings: readonly ReviewFinding[];
  readonly overall_correctness: string | null;
  readonly overall_explanation: string;
  readonly overall_confidence_score: number | null;
}

/** The largest answer that is read as findings. */
const MOST_FINDINGS = 1_000;

/** Reads a reviewer's answer: JSON, or JSON inside other text. Returns `undefined` for any other answer. */
export function readReview(text: string): ReviewOutput | undefined {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  for (const part of [text, text.slice(Math.max(start, 0), end + 1)]) {
    const output = outputOf(part);
    if (output) return output;
  }
  return undefined;
}

/** Returns what the user sees of a review. Empty if it says nothing. */
export function renderReview({ findings, overall_explanation: explanation }: ReviewOutput): string {
  const heading = findings.length > 1 ? "Full review comments:" : "Review comment:";
  const comments = findings.map((finding) => commentOf(finding));
  const parts = [explanation.trim(), ...(comments.length > 0 ? [heading, ...comments] : [])];
  return parts.filter((part) => part !== "").join("\n\n");
}

function outputOf(text: string): ReviewOutput | undefined {
  let said: unknown;
  try {
    said = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(said) || !Array.isArray(said["findings"])) return undefined;
  if (said["findings"].length > MOST_FINDINGS) return undefined;
  const findings = said["findings"].map((each) => findingOf(each));
  if (!findings.every((each) => each !== undefined)) return undefined;
  return {
    findings,
    overall_correctness: textOr(said["overall_correctness"]),
    overall_explanation: textOr(said["overall_explanation"]) ?? "",
    overall_confidence_score: numberOr(said["overall_confidence_score"]),
  };
}

function findingOf(value: unknown): ReviewFinding | undefined {
  if (!isJsonObject(value)) return undefined;
  const place = objectOr(value["code_location"]);
  const range = objectOr(place["line_range"]);
  const title = textOr(value["title"]);
  const body = textOr(value["body"]);
  const file = textOr(place["absolute_file_path"]);
  const [start, end] = [lineOr(range["start"]), lineOr(range["end"])];
  if (title === null || body === null || file === null || start === null || end === null) return undefined;
  const priority = value["priority"];
  return {
    title,
    body,
    priority: Number.isSafeInteger(priority) ? (priority as number) : null,
    confidence_score: numberOr(value["confidence_score"]),
    code_location: { absolute_file_path: file, line_range: { start, end } },
  };
}

/** Each line of the body is indented, so that only the engine writes headings and titles at the start of a line. */
function commentOf({ title, body, code_location: place }: ReviewFinding): string {
  const { start, end } = place.line_range;
  const head = `- ${oneLine(title)} — ${oneLine(place.absolute_file_path)}:${start}-${end}`;
  const lines = body.replace(/\r?\n$/, "").split(/\r\n|[\n\r\u2028\u2029]/);
  return [head, ...(body === "" ? [] : lines.map((line) => `  ${line}`))].join("\n");
}

/** A title or a path with a line break must not look like another finding. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  return text.replaceAll(/[\u0000-\u001F\u007F\u2028\u2029]+/g, " ");
}

function objectOr(value: unknown): WireObject {
  return isJsonObject(value) ? value : {};
}

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function lineOr(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}
