import type { Json } from "../domain/json.ts";

/** The longest text that is kept of a question. A request can have a whole patch in it. */
const LONGEST = 20_000;

/** Cleans every text in a value, names of fields too, and shortens long ones. */
export function cleanJson(value: unknown, clean: (text: string) => string): Json {
  if (typeof value === "string") return clean(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return value.map((each) => cleanJson(each, clean));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [clean(name), cleanJson(each, clean)]),
  );
}
