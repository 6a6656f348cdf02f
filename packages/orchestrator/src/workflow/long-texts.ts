/** Longer texts of an issue are cut. GitHub's limit is 65,536 characters. */
const LONGEST = 100_000;

const MOST_ITEMS = 1000;

/**
 * Copies data for a template, with long texts and lists cut and marked. A stranger who can file issues could otherwise
 * make prompts of any length.
 */
export function withoutLongTexts<T extends object>(data: T): T {
  return copy(data) as T;
}

function copy(value: unknown): unknown {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(copy);
  if (value === null || typeof value !== "object") return value;
  // Without a prototype: a template must find nothing but the data.
  return Object.assign(
    Object.create(null) as object,
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)])),
  );
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const kept = text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n[cut: ${text.length - kept.length} more characters]`;
}
