import fc from "fast-check";
import { expect } from "vitest";
import type { DueClaim, Grant, Transition } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../../support/issues.ts";
import { COMPLETED, totals } from "../../../support/runs.ts";
import { LEASE_MS, wanted, type Bench } from "./bench.ts";

const RUNS = Number(process.env["CODEXWRIGHT_JOB_HISTORIES"] ?? 12);
const SEED = Number(process.env["CODEXWRIGHT_JOB_SEED"] ?? 20);
const HOSTS = ["a", "b"] as const;
const LIMITS = { global: 3, byState: { review: 1 } };
const FEW = 6;

/** A step of a history. `n` names an issue, a grant or a due retry among those there are. */
type Step =
  | { readonly do: "admit" | "due" | "supervise" | "dead" }
  | { readonly do: "pull"; readonly host: (typeof HOSTS)[number]; readonly free: number }
  | {
      readonly do: "renew" | "postpone" | "readmit" | "release" | "stop" | "retry" | "reconcile";
      readonly n: number;
    }
  | { readonly do: "settle"; readonly n: number; readonly to: Transition["to"]; readonly delayed: boolean }
  | { readonly do: "pass"; readonly ms: number };

const number = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Step>({ do: "admit" }, { do: "due" }, { do: "supervise" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "dead" }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pull" as const),
      host: fc.constantFrom(...HOSTS),
      free: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("renew", "postpone", "readmit", "release", "stop", "retry", "reconcile"),
      n: number,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      n: number,
      to: fc.constantFrom("retrying", "blocked", "released"),
      delayed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1000, 20_000, 36_000) }),
  },
);

/** A grant that was given out, and how long it is surely valid. */
interface Given {
  readonly grant: Grant;
  until: number;
  isSettled: boolean;
}

/** A model in memory, which the job store must agree with. */
class Model {
  readonly #bench: Bench;
  readonly #scope: string;
  readonly given: Given[] = [];
  readonly due: DueClaim[] = [];
  /** The issues that must have a claim. */
  readonly claimed = new Set<string>();

  constructor(bench: Bench, scope: string) {
    this.#bench = bench;
    this.#scope = scope;
  }

  async run(one: Step): Promise<void> {
    const { one: store, other, clock } = this.#bench;
    const scope = this.#scope;
    const now = clock.now();
    switch (one.do) {
      case "admit": {
        const issues = Array.from({ length: FEW }, (_, n) => issue(n, { state: n < 2 ? "Review" : "Todo" }));
        const answers = await Promise.all(
          [store, other, store].map((each) => each.admit(scope, wanted(...issues), LIMITS)),
        );
        for (const { issueId, refused } of answers.flat()) {
          if (refused !== null) continue;
          expect(this.claimed.has(issueId), `${issueId} was claimed already`).toBe(false);
          this.claimed.add(issueId);
        }
        return;
      }
      case "due": {
        const found = await Promise.all([store.due(scope, 2), other.due(scope, 2)]);
        const ids = found.flat().map(({ claim }) => claim.issueId);
        expect(new Set(ids).size).toBe(ids.length);
        this.due.push(...found.flat());
        return;
      }
      case "pull": {
        const host = { name: one.host, slots: 3 };
        for (const grant of await other.pull(scope, host, one.free, LEASE_MS)) {
          const twice = this.given.filter(
            (each) => !each.isSettled && each.until > now && each.grant.claim.issueId === grant.claim.issueId,
          );
          expect(twice, "two grants for one issue").toEqual([]);
          this.given.push({ grant, until: now + LEASE_MS, isSettled: false });
        }
        return;
      }
      case "renew": {
        const each = this.given[one.n % Math.max(1, this.given.length)];
        if (each === undefined) return;
        const { held } = await store.renew([each.grant]);
        if (!each.isSettled && each.until > now)
          expect(held.has(each.grant), "a valid grant was lost").toBe(true);
        if (each.isSettled) expect(held.size).toBe(0);
        if (held.has(each.grant)) each.until = now + LEASE_MS;
        return;
      }
      case "settle": {
        const each = this.given[one.n % Math.max(1, this.given.length)];
        if (each === undefined) return;
        const next = transition(one);
        const before = await store.read(scope);
        const answer = await store.settle(each.grant, COMPLETED, totals(), () => next);
        if (answer === "fenced") {
          expect(!each.isSettled && each.until > now, "a valid grant was fenced").toBe(false);
          expect({ ...(await store.read(scope)), at: "" }).toEqual({ ...before, at: "" });
          return;
        }
        expect(each.isSettled, "settled twice").toBe(false);
        each.isSettled = true;
        const newer = this.given.slice(this.given.indexOf(each) + 1);
        expect(
          newer.some(
            ({ grant }) => grant.claim.issueId === each.grant.claim.issueId && !this.#isOlder(grant, each),
          ),
        ).toBe(false);
        if (next.to === "released") this.claimed.delete(each.grant.claim.issueId);
        return;
      }
      default:
        await this.#order(one);
    }
  }

  /** Whether a grant belongs to an earlier claim than this one. */
  #isOlder(grant: Grant, { grant: other }: Given): boolean {
    return grant.claim.claimedAt < other.claim.claimedAt;
  }

  async #order(one: Step): Promise<void> {
    const { one: store, other } = this.#bench;
    const scope = this.#scope;
    const n = "n" in one ? one.n : 0;
    const id = `id-${n % FEW}`;
    const due = this.due[n % Math.max(1, this.due.length)];
    const allowed = async (work: Promise<void>): Promise<void> => {
      await work.catch((error: unknown) =>
        expect(["invalid_order", "issue_not_found"]).toContain((error as { code?: string }).code),
      );
    };
    switch (one.do) {
      case "pass":
        return await this.#bench.pass(one.ms);
      case "supervise":
        return await this.#bench.pass(6000);
      case "dead":
        await store.seen({ name: "a", slots: 1 }, { running: 0, draining: false });
        return await this.#bench.pass(61_000);
      case "stop":
        return await allowed(other.ask(scope, id, { kind: "stop", by: "ann", reason: null }));
      case "retry":
        return await allowed(other.ask(scope, id, { kind: "retry", by: "ann" }));
      case "reconcile":
        return await other.reconcile(scope, [{ issueId: id, why: "terminal" }]);
      case "postpone":
        if (due !== undefined) await store.postpone(due, { attempt: 9, delayMs: 1000, error: "later" });
        return;
      case "readmit":
        if (due !== undefined) await store.admit(scope, [{ issue: due.claim.issue, due }], LIMITS);
        return;
      case "release": {
        if (due === undefined) return;
        const { issueId } = due.claim;
        await allowed(store.release(scope, issueId, { why: "gone", cleanup: false, due }));
        if ((await store.issue(scope, issueId)).claim === null) this.claimed.delete(issueId);
      }
    }
  }

  /** Compares the database with the model. */
  async check(): Promise<void> {
    const { claims } = await this.#bench.one.read(this.#scope);
    expect(new Set(claims.map(({ issueId }) => issueId)), "a claim was lost").toEqual(this.claimed);
    const active = claims.filter(({ state }) => state === "queued" || state === "running");
    expect(active.length).toBeLessThanOrEqual(LIMITS.global);
    expect(active.filter((claim) => claim.issue.state === "Review").length).toBeLessThanOrEqual(1);
    const now = this.#bench.clock.now();
    const running = new Map(
      claims.flatMap((claim) => (claim.state === "running" ? [[claim.run.runId, claim] as const] : [])),
    );
    for (const { grant, until, isSettled } of this.given) {
      if (isSettled) expect(running.has(grant.runId)).toBe(false);
      else if (until > now) expect(running.has(grant.runId), "a valid run has no claim").toBe(true);
    }
  }

  /** Lets everything that waits happen: each claim must come to its end. Nothing is lost. */
  async finish(): Promise<void> {
    const { one: store } = this.#bench;
    const scope = this.#scope;
    const host = { name: "b", slots: 10 };
    for (let round = 0; round < 40 && (await store.read(scope)).claims.length > 0; round++) {
      for (const { state, issueId } of (await store.read(scope)).claims)
        if (state === "blocked") await store.ask(scope, issueId, { kind: "retry", by: "ann" });
      for (const due of await store.due(scope, 10))
        await store.admit(scope, [{ issue: due.claim.issue, due }], LIMITS);
      for (const name of HOSTS)
        for (const grant of await store.pull(scope, { ...host, name }, 10, LEASE_MS))
          await store.settle(grant, COMPLETED, totals(), () => ({
            to: "released",
            why: "done",
            cleanup: false,
          }));
      // Longer than each lease, and than the time that a process keeps a due retry.
      await this.#bench.pass(16 * 60_000);
    }
    expect((await store.read(scope)).claims, "claims that never end").toEqual([]);
  }
}

function transition({
  to,
  delayed,
}: {
  readonly to: Transition["to"];
  readonly delayed: boolean;
}): Transition {
  if (to === "released") return { to, why: "done", cleanup: true };
  if (to === "blocked") return { to, reason: { kind: "max_attempts", attempts: 1 }, error: null };
  const delayMs = delayed ? 10_000 : 0;
  return { to, attempt: 1, retryKind: "failure", delayMs, error: "no", failures: 1, sessions: 0 };
}

export function modelTests(bench: () => Bench): void {
  verifies(
    ["fleet.jobs.histories", "security.s108"],
    `claims, grants and limits hold in ${RUNS} random histories, and every claim comes to its end`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (history) => {
          const model = new Model(bench(), await bench().scope());
          for (const one of history) {
            await model.run(one);
            await model.check();
          }
          await model.finish();
        }),
        { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: RUNS > 100 ? 3_600_000 : 120_000 },
      );
    },
    { timeoutMs: 3_700_000 },
  );
}
