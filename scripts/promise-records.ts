/** The record that a test of a promise leaves: it passed, or it was skipped for a reason. */
export interface PromiseRecord {
  readonly id: string;
  readonly against: string;
  readonly runtime: string;
  readonly title: string;
  readonly skipped?: string;
}

/** Lists the runtimes on which a promise's tests passed against a server, or why all of them were skipped. */
export function cellOf(
  records: readonly PromiseRecord[],
  { id, against }: Pick<PromiseRecord, "id" | "against">,
  runtimes: readonly string[],
): string {
  const own = records.filter((record) => record.id === id && record.against === against);
  const on = runtimes.filter((runtime) => passed(own).some((record) => record.runtime === runtime));
  if (on.length === 0) return reasons(own);
  return on.length === runtimes.length ? "all" : on.join(", ");
}

export function passed(records: readonly PromiseRecord[]): PromiseRecord[] {
  return records.filter(({ skipped }) => skipped === undefined);
}

/** Lists the promises whose tests were all skipped, with the reason. This run did not verify them. */
export function unshown(records: readonly PromiseRecord[]): string[] {
  const shown = new Set(passed(records).map(({ id }) => id));
  const ids = new Set(records.map(({ id }) => id).filter((id) => !shown.has(id)));
  return [...ids].toSorted().map((id) => `${id} ${reasons(records.filter((record) => record.id === id))}`);
}

function reasons(records: readonly PromiseRecord[]): string {
  const all = new Set(records.flatMap(({ skipped }) => skipped ?? []));
  return all.size === 0 ? "" : `skipped: ${[...all].toSorted().join("; ")}`;
}
