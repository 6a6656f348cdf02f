/** One finding of a review. */
export interface ReviewFinding {
  /** The title without its priority tag. */
  readonly title: string;
  readonly body: string;
  /** 0 is the most urgent; null if the reviewer gave no priority. */
  readonly priority: number | null;
  /** From 0 to 1; null if the server did not send it. Codex never sends it. */
  readonly confidence: number | null;
  /** As the reviewer wrote it, usually absolute; null if the finding has no location. */
  readonly file: string | null;
  /** The first and last line in that file; null if the finding has no location. */
  readonly lines: { readonly start: number; readonly end: number } | null;
}

/** A reviewer's judgement on all changes together. */
export interface ReviewOverall {
  /** "patch is correct" or "patch is incorrect"; null if the reviewer did not say. */
  readonly correctness: string | null;
  readonly explanation: string;
  /** From 0 to 1; null if the reviewer did not say. */
  readonly confidence: number | null;
}

const HEADINGS: ReadonlySet<string> = new Set(["Full review comments:", "Review comment:"]);

/**
 * Parses the findings in the text of a review.
 *
 * Codex sends only text. It renders the reviewer's JSON as a heading, then each finding as a line `- title —
 * file:start-end` above its indented body. If the JSON lacks a field, the server sends the JSON unchanged.
 */
export function findingsOf(text: string): readonly ReviewFinding[] {
  const listed = findingsInText(text.split("\n"));
  return listed.length > 0 ? listed : findingsInJson(text);
}

/**
 * Parses the reviewer's answer as our own app-server adds it to the item that ends a review. Returns `undefined` if there
 * is none, as from Codex.
 */
export function reviewIn(
  output: unknown,
): { readonly findings: readonly ReviewFinding[]; readonly overall: ReviewOverall } | undefined {
  const { findings, ...rest } = fields(output);
  if (!Array.isArray(findings)) return undefined;
  return {
    findings: findings.map(fromJson),
    overall: {
      correctness: textOf(rest["overall_correctness"]),
      explanation: textOf(rest["overall_explanation"]) ?? "",
      confidence: shareOf(rest["overall_confidence_score"]),
    },
  };
}

function findingsInText(lines: readonly string[]): readonly ReviewFinding[] {
  // Bodies are indented, so the last heading is from the server, even if the explanation quotes one.
  const heading = lines.findLastIndex((line) => HEADINGS.has(line));
  if (heading === -1) return [];
  const findings: ReviewFinding[] = [];
  let title: string[] = [];
  let body: string[] = [];
  for (const line of lines.slice(heading + 1).toReversed()) {
    const place = placeAtEndOf(line);
    if (title.length === 0 && !(place && !line.startsWith("  "))) {
      body.push(line);
      continue;
    }
    // A title can have several lines; the last one has the location.
    title.push(line);
    if (!line.startsWith("- ")) continue;
    findings.push(finding(title.toReversed().join("\n").slice(2), body.toReversed()));
    title = [];
    body = [];
  }
  return findings.toReversed();
}

function finding(heading: string, body: readonly string[]): ReviewFinding {
  const { at, ...place } = placeAtEndOf(heading) ?? { at: heading.length, file: null, lines: null };
  const text = body.map((line) => (line.startsWith("  ") ? line.slice(2) : line)).join("\n");
  return { ...titled(heading.slice(0, at)), body: text.trimEnd(), confidence: null, ...place };
}

interface Place extends Pick<ReviewFinding, "file" | "lines"> {
  /** The index in the line where the location begins. */
  readonly at: number;
}

/** Parses ` — file:start-end` at the end of a line. */
function placeAtEndOf(line: string): Place | undefined {
  // At most 10 digits per number, so that matching takes linear time.
  const numbers = /:(\d{1,10})-(\d{1,10})$/.exec(line);
  const at = numbers ? line.lastIndexOf(" — ", numbers.index) : -1;
  if (!numbers || at === -1) return undefined;
  const [, start, end] = numbers.map(Number) as [number, number, number];
  return { at, file: line.slice(at + 3, numbers.index), lines: { start, end } };
}

function titled(title: string): Pick<ReviewFinding, "title" | "priority"> {
  const [mark, priority] = /^\[P(\d)\] ?/.exec(title) ?? ["", null];
  return { title: title.slice(mark.length), priority: priority === null ? null : Number(priority) };
}

/** Parses the JSON of a review; returns an empty list if the text is not such JSON. */
function findingsInJson(text: string): readonly ReviewFinding[] {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (start === -1 || !text.includes('"findings"')) return [];
  try {
    const { findings } = JSON.parse(text.slice(start, end + 1)) as { findings?: unknown };
    return Array.isArray(findings) ? findings.map(fromJson) : [];
  } catch {
    return [];
  }
}

function fromJson(value: unknown): ReviewFinding {
  const found = fields(value);
  const place = fields(found["code_location"]);
  const range = fields(place["line_range"]);
  const { title, priority } = titled(textOf(found["title"]) ?? "");
  const [start, end] = [numberOf(range["start"]), numberOf(range["end"])];
  return {
    title,
    body: textOf(found["body"]) ?? "",
    priority: numberOf(found["priority"]) ?? priority,
    confidence: shareOf(found["confidence_score"]),
    file: textOf(place["absolute_file_path"]),
    lines: start === null ? null : { start, end: end ?? start },
  };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Reads a priority or a line number. */
function numberOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

function shareOf(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null;
}
