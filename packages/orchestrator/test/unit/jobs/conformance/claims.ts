import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../../support/issues.ts";
import { COMPLETED, tokens, totals } from "../../../support/runs.ts";
import {
  HERE,
  LEASE_MS,
  nextDue,
  only,
  retry,
  settled,
  started,
  THERE,
  UNLIMITED,
  wanted,
  type Bench,
} from "./bench.ts";

export function claimTests(bench: () => Bench): void {
  verifies("fleet.jobs.one-claim", "an issue is claimed once, however many ask for it at once", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? one : other).admit(scope, wanted(issue(1)), UNLIMITED)),
    );
    const refusals = answers.flat().map(({ refused }) => refused);
    expect(refusals.filter((refused) => refused === null)).toHaveLength(1);
    expect(refusals.filter((refused) => refused === "claimed")).toHaveLength(11);
    const pulled = await Promise.all([
      one.pull(scope, HERE, 10, LEASE_MS),
      other.pull(scope, THERE, 10, LEASE_MS),
    ]);
    expect(pulled.flat()).toHaveLength(1);
  });

  verifies("fleet.jobs.limits", "limits hold while three tickers admit and workers settle", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    const limits = { global: 10, byState: { review: 3 } };
    const issues = Array.from({ length: 36 }, (_, n) => issue(n, { state: n % 3 ? " Todo" : "REVIEW" }));
    let done = 0;
    let peak = 0;
    let reviews = 0;
    const check = async (): Promise<void> => {
      const active = (await one.read(scope)).claims.filter(
        ({ state }) => state === "queued" || state === "running",
      );
      peak = Math.max(peak, active.length);
      reviews = Math.max(reviews, active.filter((claim) => claim.issue.state === "REVIEW").length);
    };
    const ticker = async (store: typeof one): Promise<void> => {
      while (done < issues.length) {
        await store.admit(scope, wanted(...issues), limits);
        await check();
      }
    };
    const worker = async (store: typeof one, name: string): Promise<void> => {
      while (done < issues.length)
        for (const grant of await store.pull(scope, { name, slots: 4 }, 4, LEASE_MS)) {
          const end = { to: "blocked", reason: { kind: "max_attempts", attempts: 1 }, error: null } as const;
          await settled(store, grant, () => end);
          done++;
        }
    };
    await Promise.all([ticker(one), ticker(other), ticker(one), worker(one, "a"), worker(other, "b")]);
    expect(done).toBe(issues.length);
    expect(peak).toBe(10);
    expect(reviews).toBe(3);
  });

  verifies("fleet.jobs.limits", "the limit of a state that an object inherits is not a limit", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    const admitted = await one.admit(scope, wanted(issue(1, { state: "constructor" })), UNLIMITED);
    expect(only(admitted).refused).toBeNull();
  });

  verifies(
    ["fleet.jobs.one-bad-issue", "security.s106"],
    "an issue that cannot be stored does not stop the others",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      const bad = issue(2, { native_ref: { number: 10n as unknown as number } });
      const answers = await one.admit(scope, wanted(issue(1), bad, issue(3)), UNLIMITED);
      expect(answers.map(({ refused }) => refused)).toEqual([null, "gone", null]);
      await one.refresh(scope, [bad, issue(3, { title: "New" })]);
      expect((await one.issue(scope, "id-3")).claim?.issue.title).toBe("New");
      const [warning] = await one
        .lastEvents(scope, 10)
        .then((list) => list.filter(({ event }) => event === "warning"));
      expect(warning?.message).toContain("ABC-2");
    },
  );

  verifies(
    ["fleet.jobs.bounded", "security.s107"],
    "huge issues are stored in part; their ids stay whole",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      const id = `long${"x".repeat(10_000)}`;
      const huge = issue(1, {
        id,
        title: "t".repeat(1_000_000),
        description: `${"\u{1F600}".repeat(2_500_000)}end`,
        labels: Array.from({ length: 10_000 }, (_, n) => `label-${n}`),
        native_ref: { blob: "b".repeat(1_000_000) },
      });
      const grant = await started(one, scope, huge);
      expect(grant.claim.issueId).toBe(id);
      const text = JSON.stringify((await one.read(scope)).claims);
      expect(text.length).toBeLessThan(200_000);
      expect(grant.claim.issue.description).toMatch(/more characters\]$/);
      // Another end is another issue, also behind the stored part.
      await settled(one, grant, () => ({
        to: "blocked",
        reason: { kind: "no_progress", sessions: 3 },
        error: null,
      }));
      await one.refresh(scope, [huge]);
      expect((await one.issue(scope, id)).claim?.state).toBe("blocked");
      await one.refresh(scope, [{ ...huge, description: `${"\u{1F600}".repeat(2_500_000)}END` }]);
      expect((await one.issue(scope, id)).claim?.state).toBe("retrying");
    },
  );

  verifies("fleet.jobs.bounded", "the decision after a run compares issues of one form", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    const long = issue(1, { description: "d".repeat(100_000) });
    const grant = await started(one, scope, long);
    let compared: unknown[] = [];
    await one.settle(grant, { kind: "completed", issue: long }, totals(), (claim, outcome) => {
      compared = [claim.issue, outcome.kind === "completed" ? outcome.issue : null];
      return retry()();
    });
    expect(compared[0]).toEqual(compared[1]);
  });

  verifies(
    "fleet.jobs.versions",
    "a run has the workflow version that was newest when it was admitted",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      await one.admit(scope, wanted(issue(1)), UNLIMITED);
      await one.putScope(scope, { version: "v2", path: "/WORKFLOW.md", text: "Do it well." });
      const grant = only(await one.pull(scope, HERE, 1, LEASE_MS));
      expect(grant.workflowVersion).toBe("v1");
      await settled(one, grant);
      await one.admit(scope, [{ issue: issue(1), due: await nextDue(one, scope) }], UNLIMITED);
      expect(only(await one.pull(scope, HERE, 1, LEASE_MS)).workflowVersion).toBe("v2");
      expect((await one.workflow("v1"))?.text).toBe("Do it.");
      expect(await one.workflow("v3")).toBeUndefined();
    },
  );

  verifies(
    ["fleet.jobs.totals", "symphony.17.6.totals"],
    "tokens count for the run, the issue, the scope and the day, once",
    async () => {
      const { one, clock } = bench();
      const scope = await bench().scope();
      const grant = await started(one, scope, issue(1));
      await one.report(grant, { tokens: tokens(10) });
      await one.report(grant, { tokens: tokens(25), rateLimits: { a: 1 } });
      await one.report(grant, { rateLimits: { b: 2 } });
      const today = new Date(clock.now());
      expect((await one.spentOn(scope, today)).totalTokens).toBe(25);
      await one.settle(grant, COMPLETED, totals({ tokens: tokens(30) }), () => ({
        to: "released",
        why: "inactive",
        cleanup: false,
      }));
      const { totals: all, today: day, rateLimits } = await one.read(scope);
      expect([all.totalTokens, day.totalTokens, all.seconds]).toEqual([30, 30, 1]);
      expect(rateLimits).toEqual({ a: 1, b: 2 });
      // A later claim of the issue knows what it has cost.
      const again = await started(one, scope, issue(1));
      expect(again.claim.spent.totalTokens).toBe(30);
      await one.report(again, { tokens: tokens(5) });
      await bench().pass(24 * 3_600_000);
      await one.keepHouse();
      expect((await one.spentOn(scope, today)).totalTokens).toBe(35);
      expect((await one.read(scope)).today.totalTokens).toBe(0);
    },
  );
}
