/*
 * PostgreSQL stores no NUL and no lone surrogate in a text. Texts of trackers contain both. Every value that goes to
 * the database passes here, and every value that comes back. Each text comes back as it was.
 */

/** A control character that no tracker uses. It is escaped, too, so that every stored text has one meaning. */
const ESCAPE = "\u001A";
// oxlint-disable-next-line no-control-regex -- these are the characters that cannot be stored
const UNSTORABLE = /[\u0000\u001A]|\p{Surrogate}/gu;
// oxlint-disable-next-line no-control-regex -- the escape is a control character on purpose
const ESCAPED = /\u001A([0-9a-f]{4})/g;

export function encodeText(text: string): string {
  return text.replaceAll(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

export function decodeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Encodes a parameter of a statement. */
export function encodeParameter(value: unknown): unknown {
  if (typeof value === "string") return encodeText(value);
  return Array.isArray(value) ? value.map(encodeParameter) : value;
}

/** Decodes the texts of a row. */
export function decodeRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row))
    decoded[column] = typeof value === "string" ? decodeText(value) : value;
  return decoded;
}
