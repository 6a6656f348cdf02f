import { randomUUID } from "node:crypto";
import { endTick, takeTick } from "../tables/scopes.ts";
import type { Context } from "./context.ts";

const LEASE_MS = 30_000;
const RENEW_MS = 5000;

/**
 * See `JobStore.tick`. The right to tick is a row with a lease. A tick that loses it does no harm: admission has the
 * scope for itself, and a due retry belongs to one process.
 */
export async function tick(
  { database }: Context,
  scope: string,
  host: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<"done" | "elsewhere"> {
  const right = { scope, host, token: randomUUID(), leaseMs: LEASE_MS };
  let since = performance.now();
  if (!(await takeTick(database, right))) return "elsewhere";
  const lost = new AbortController();
  let renewing: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    const sent = performance.now();
    if (sent - since > LEASE_MS - RENEW_MS) lost.abort();
    try {
      if (await takeTick(database, right)) since = sent;
      else lost.abort();
    } catch {
      // The next renewal shows whether the right is lost.
    }
  };
  const timer = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = undefined));
  }, RENEW_MS);
  try {
    await work(lost.signal);
    return "done";
  } finally {
    clearInterval(timer);
    await renewing;
    // If the database is away, the lease ends the right.
    await endTick(database, scope, right.token).catch(() => {});
  }
}
