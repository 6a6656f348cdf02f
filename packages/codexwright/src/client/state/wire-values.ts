import type { ThreadItem, Turn } from "../../protocol/index.ts";

/** An object off the wire of which nothing is known: what a fold reads from it, it checks. */
export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): WireObject | undefined {
  return typeof value === "object" && value !== null ? (value as WireObject) : undefined;
}

/** A string that says something; ids are never empty. */
export function asId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asItem(value: unknown): ThreadItem | undefined {
  const item = asObject(value);
  return item && asId(item["id"]) && asId(item["type"]) ? (value as ThreadItem) : undefined;
}

/** Whether an item says of itself that it goes on. */
export function isOpen(item: ThreadItem): boolean {
  return (item as { readonly status?: unknown }).status === "inProgress";
}

/** A turn as far as it can be trusted: it has an id, everything else may be missing. */
export type PartialTurn = Partial<Turn> & { readonly id: string };

export function asTurn(value: unknown): PartialTurn | undefined {
  return asId(asObject(value)?.["id"]) ? (value as PartialTurn) : undefined;
}

export function asList<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

/** Whether two small values off the wire say the same: servers repeat themselves. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [left, right] = [asObject(a), asObject(b)];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key]));
}

/**
 * Whether a server made the id up for a history: live, the same turn or item has another one.
 *
 * For turns that is so before 0.100, for items until legacy histories ended (0.120 does it, 0.166 does not).
 */
export function isMadeUp(id: string): boolean {
  return /^(?:turn|item)-\d+$/.test(id);
}
