import type { FleetEvent } from "../../domain/events.ts";
import type { Snapshot } from "../../domain/snapshot.ts";
import type { IssueRecord } from "../port.ts";
import { allClaims, claimOf } from "../tables/claims.ts";
import { eventsAfter, eventsOfIssue } from "../tables/events.ts";
import { hosts } from "../tables/hosts.ts";
import { runsOf } from "../tables/runs.ts";
import { readScope, tokensOn } from "../tables/scopes.ts";
import type { Context } from "./context.ts";
import { HOST_SECONDS } from "./losing.ts";
import { Bell } from "./wake.ts";

const RECORD = { runs: 50, events: 200 } as const;
const PAGE = 500;
/** How often other processes' events are looked for. */
const POLL_MS = 500;

/** See `JobStore.read`. */
export async function read({ database }: Context, scope: string): Promise<Snapshot> {
  return await database.transaction(
    async (tx) => {
      const row = await readScope(tx, scope);
      const known = await hosts(tx, HOST_SECONDS);
      const alive = known.filter(({ isAlive }) => isAlive);
      return {
        at: row.now,
        claims: (await allClaims(tx, scope)).map(({ claim }) => claim),
        hosts: known.map(({ info }) => info),
        paused: row.paused,
        draining: alive.length > 0 && alive.every(({ info }) => info.draining),
        waiting: row.waiting,
        totals: row.totals,
        today: await tokensOn(tx, scope, row.now.slice(0, 10)),
        rateLimits: row.rateLimits,
        tick: row.tick,
        workflowVersion: row.workflowVersion,
      };
    },
    { isSnapshot: true },
  );
}

/** See `JobStore.issue`. */
export async function record({ database }: Context, scope: string, issueId: string): Promise<IssueRecord> {
  return await database.transaction(
    async (tx) => ({
      claim: (await claimOf(tx, scope, issueId))?.claim ?? null,
      runs: await runsOf(tx, scope, RECORD.runs, issueId),
      events: await eventsOfIssue(tx, scope, issueId, RECORD.events),
    }),
    { isSnapshot: true },
  );
}

/** See `JobStore.events`. */
export async function* events(
  { backend, database, wake }: Context,
  scope: string,
  after: bigint,
  signal: AbortSignal,
): AsyncGenerator<FleetEvent, void, undefined> {
  let last = after;
  const news = new Bell();
  const stopWaking = wake.on(() => news.ring());
  const abort = (): void => news.ring();
  signal.addEventListener("abort", abort);
  // Other processes write to a shared database.
  const poll = backend === "postgres" ? setInterval(() => news.ring(), POLL_MS) : undefined;
  try {
    while (!signal.aborted) {
      // Before the query: what happens after it rings again.
      news.reset();
      const page = await eventsAfter(database, scope, last, PAGE);
      for (const event of page) {
        if (signal.aborted) return;
        last = event.seq;
        yield event;
      }
      if (page.length < PAGE && !signal.aborted) await news.rung();
    }
  } finally {
    clearInterval(poll);
    stopWaking();
    signal.removeEventListener("abort", abort);
  }
}
