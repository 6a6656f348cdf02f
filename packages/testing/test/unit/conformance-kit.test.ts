import { expect } from "vitest";
import { CodexClient } from "codexwright/client";
import { memoryPair } from "codexwright/rpc";
import {
  compareRuns,
  fakeTarget,
  runScenario,
  scenarios,
  unsupportedReason,
  type ConformanceTarget,
  type Scenario,
  type World,
} from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

const FAKE = { against: "fake" } as const;

function scenario(run: (world: World) => Promise<void>, more: Partial<Scenario> = {}): Scenario {
  return {
    id: "kit.test",
    statement: "it works",
    begin: () => ({ model: [], run }),
    ...more,
  };
}

/** A server that reads every line and sends nothing. */
const silent: ConformanceTarget = {
  name: "silent",
  version: "0.166.0",
  transport: "memory",
  open: async () => ({
    transport: () => {
      const [client, server] = memoryPair();
      server.open({ line: () => {}, closed: () => {} });
      return client;
    },
    workspace: "/nowhere",
    model: { requests: [], unexpected: [], request: () => new Promise(() => {}) },
    [Symbol.asyncDispose]: async () => {},
  }),
};

verifies("conformance.kit", "has at least 65 scenarios, each with an id and a statement", () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(65);
  expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  for (const { id, statement, needs } of scenarios) {
    expect(id).toMatch(/^[a-z-]+\.[a-z-]+$/);
    expect(statement).toMatch(/^[a-z].*[^.]$/);
    for (const version of [needs?.since, needs?.until]) expect(version ?? "0.1.0").toMatch(/^\d+\.\d+\.\d+$/);
  }
});

verifies(
  "conformance.kit",
  "a scenario starts afresh on each run",
  async () => {
    const twice = scenarios.find(({ id }) => id === "interrupt.refused");
    if (!twice) throw new Error("no such scenario");
    const results = [await runScenario(twice, fakeTarget()), await runScenario(twice, fakeTarget())];
    expect(results.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
    const [a, b] = results;
    if (a && b) expect(compareRuns(a, b)).toEqual([]);
  },
  FAKE,
);

verifies(
  "conformance.kit",
  "reports a wrong behaviour as the result's error, with all messages",
  async () => {
    const failing = scenario(async (world) => {
      const codex = await world.connect();
      await codex.request("thread/loaded/list", {});
      throw new Error("as expected");
    });
    const result = await runScenario(failing, fakeTarget());
    expect(result).toMatchObject({ outcome: "failed", error: { message: "as expected" } });
    const said = result.recording.flatMap((line) => ("message" in line ? [line.message["method"]] : []));
    expect(said).toContain("thread/loaded/list");
    expect(result.workspace).toBeTypeOf("string");
  },
  FAKE,
);

verifies(
  "conformance.kit",
  "a scenario on a silent server fails within its time limit, and nothing is left behind",
  async () => {
    const waiting = scenario(async (world) => {
      await (await world.raw()).ask(1, "thread/loaded/list", {});
    });
    const result = await runScenario(waiting, silent, { timeoutMs: 50 });
    expect(result).toMatchObject({ outcome: "failed", error: { code: "expectation_failed" } });
    const hello = scenarios[0];
    if (hello)
      expect(await runScenario(hello, silent, { timeoutMs: 50 })).toMatchObject({ outcome: "failed" });
  },
);

verifies(
  "conformance.kit",
  "a scenario fails if it calls its model more often than scripted",
  async () => {
    const asking = scenario(async (world) => {
      const codex = await world.connect();
      await (await codex.startThread()).run("go").catch(() => {});
    });
    const result = await runScenario(asking, fakeTarget());
    const message = expect.stringContaining("UnexpectedModelCall") as unknown;
    expect(result).toMatchObject({ outcome: "failed", error: { message } });
  },
  FAKE,
);

verifies("conformance.kit", "a scenario fails if its server cannot be started", async () => {
  const target: ConformanceTarget = { ...silent, open: () => Promise.reject(new Error("no server")) };
  const result = await runScenario(
    scenario(async () => {}),
    target,
  );
  expect(result).toMatchObject({ outcome: "failed", error: { message: "no server" }, recording: [] });
});

verifies("conformance.kit", "reports why a target cannot run a scenario, and does not run it", async () => {
  const never = scenario(() => Promise.reject(new Error("it was run")), { needs: { since: "0.167.0" } });
  expect(await runScenario(never, silent)).toMatchObject({
    outcome: "unsupported",
    reason: expect.stringContaining("0.167.0"),
  });
  expect(unsupportedReason({ ...never, needs: { until: "0.100.0" } }, silent)).toContain("0.100.0");
  const many = { ...never, needs: { clients: "many" } } as const;
  expect(unsupportedReason(many, silent)).toBeUndefined();
  expect(unsupportedReason(many, { ...silent, transport: "stdio" })).toContain("one client");
  const own = { ...silent, unsupported: () => "we have no files" };
  expect(unsupportedReason({ ...never, needs: {} }, own)).toBe("we have no files");
});

verifies(
  "conformance.kit",
  "uses the target's own client instead of the library's",
  async () => {
    class OwnClient extends CodexClient {}
    const made: CodexClient[] = [];
    const target: ConformanceTarget = {
      ...fakeTarget(),
      client: (options) => {
        const client = new OwnClient(options);
        made.push(client);
        return client;
      },
    };
    const own = scenario(async (world) => {
      const codex = await world.connect();
      if (codex !== made[0]) throw new Error("another client");
    });
    expect(await runScenario(own, target)).toMatchObject({ outcome: "passed" });
  },
  FAKE,
);

verifies(
  "conformance.kit",
  "compares the messages of two servers, and shows that the servers behave differently",
  async () => {
    const hello = (name: string): Scenario =>
      scenario(async (world) => {
        const raw = await world.raw();
        await raw.initialize();
        await raw.ask(1, name, {});
      });
    const [a, b] = await Promise.all(
      ["thread/loaded/list", "no/such/method"].map((name) => runScenario(hello(name), fakeTarget())),
    );
    if (!a || !b) throw new Error("no results");
    expect(compareRuns(a, a)).toEqual([]);
    expect(compareRuns(a, b).map(({ method }) => method)).toContain("no/such/method");
  },
  FAKE,
);
