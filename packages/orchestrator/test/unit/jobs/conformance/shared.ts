import { expect } from "vitest";
import type { FleetEvent } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { deferred } from "@codexwright/test-support/events";
import { issue } from "../../../support/issues.ts";
import { UNLIMITED, wanted, type Bench } from "./bench.ts";

export function sharedTests(bench: () => Bench): void {
  verifies("fleet.jobs.tick", "one process ticks a scope, until it ends or its lease is over", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    const go = deferred();
    const started = deferred();
    const first = one.tick(scope, "here", async () => {
      started.resolve();
      await go.promise;
    });
    await started.promise;
    expect(await other.tick(scope, "there", () => expect.unreachable())).toBe("elsewhere");
    expect((await one.read(scope)).tick.host).toBe("here");
    // The first one is frozen for longer than its lease.
    await bench().pass(31_000);
    expect(await other.tick(scope, "there", async () => {})).toBe("done");
    go.resolve();
    expect(await first).toBe("done");
    await expect(one.tick(scope, "here", () => Promise.reject(new RangeError("no")))).rejects.toThrow(
      RangeError,
    );
    expect(await other.tick(scope, "there", async () => {})).toBe("done");
    await one.polled(scope, { error: "HTTP 500" });
    expect((await one.read(scope)).tick).toMatchObject({ polledAt: null, error: "HTTP 500" });
    await one.polled(scope, { error: null });
    expect((await one.read(scope)).tick).toMatchObject({ polledAt: expect.any(String), error: null });
  });

  verifies(
    "fleet.jobs.events",
    "a reader gets every event once and in order, while many are written",
    async () => {
      const { one, other } = bench();
      const scope = await bench().scope();
      const controller = new AbortController();
      const seen: FleetEvent[] = [];
      const total = 240;
      const reading = (async () => {
        for await (const event of one.events(scope, 0n, controller.signal)) {
          seen.push(event);
          if (seen.length === total) controller.abort();
        }
      })();
      const write = async (store: typeof one, writer: number): Promise<void> => {
        for (let n = 0; n < total / 8; n += 2)
          await store.emit(scope, [
            { event: "warning", message: `${writer}:${n}` },
            { event: "warning", message: `${writer}:${n + 1}`, data: { n } },
          ]);
      };
      await Promise.all(Array.from({ length: 8 }, (_, n) => write(n % 2 ? one : other, n)));
      await reading;
      expect(seen.map(({ seq }) => seq)).toEqual(
        seen.map(({ seq }) => seq).toSorted((a, b) => (a < b ? -1 : 1)),
      );
      expect(new Set(seen.map(({ message }) => message)).size).toBe(total);
      expect(await one.lastEvents(scope, 3)).toEqual(seen.slice(-3));
      const rest: FleetEvent[] = [];
      const again = new AbortController();
      for await (const event of one.events(scope, seen.at(-3)?.seq ?? 0n, again.signal)) {
        rest.push(event);
        if (rest.length === 2) again.abort();
      }
      expect(rest).toEqual(seen.slice(-2));
    },
  );

  verifies("fleet.jobs.events", "reading events ends if its signal aborts while none come", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    const controller = new AbortController();
    const next = one.events(scope, 0n, controller.signal)[Symbol.asyncIterator]().next();
    await one.read(scope);
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  verifies("fleet.jobs.one-claim", "scopes do not see each other", async () => {
    const { one } = bench();
    const [a, b] = [await bench().scope(), await bench().scope()];
    await one.admit(a, wanted(issue(1)), UNLIMITED);
    expect(await one.admit(b, wanted(issue(1)), UNLIMITED)).toMatchObject([{ refused: null }]);
    await one.release(a, "id-1", { why: "gone", cleanup: false });
    expect((await one.read(b)).claims).toHaveLength(1);
    expect((await one.lastEvents(b, 10)).every(({ event }) => event === "claim.admitted")).toBe(true);
  });
}
