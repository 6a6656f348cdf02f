import type { ThreadItem, Turn } from "../../protocol/index.ts";

/** An unchecked object from the wire. A fold checks each field that it reads. */
export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): WireObject | undefined {
  return typeof value === "object" && value !== null ? (value as WireObject) : undefined;
}

/** A non-empty string; ids are never empty. */
export function asId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asItem(value: unknown): ThreadItem | undefined {
  const item = asObject(value);
  return item && asId(item["id"]) && asId(item["type"]) ? (value as ThreadItem) : undefined;
}

/** Whether the item's own status is `inProgress`. */
export function isOpen(item: ThreadItem): boolean {
  return (item as { readonly status?: unknown }).status === "inProgress";
}

/** A wire turn of which only the id was checked; every other field may be missing. */
export type PartialTurn = Partial<Turn> & { readonly id: string };

export function asTurn(value: unknown): PartialTurn | undefined {
  return asId(asObject(value)?.["id"]) ? (value as PartialTurn) : undefined;
}

export function asList<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [];
}

/** Deep equality of two small wire values. Used to detect that a server repeats a value. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [left, right] = [asObject(a), asObject(b)];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => same(left[key], right[key]));
}

/**
 * Whether the server made up this id for a history. In live events, the same turn or item has another id.
 *
 * Servers before 0.100 make up ids of turns. For items, 0.120 makes up ids and 0.166 does not.
 */
export function isMadeUp(id: string): boolean {
  return /^(?:turn|item)-\d+$/.test(id);
}
