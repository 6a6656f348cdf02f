/** Runs the conformance scenarios against our own server, our own client, and the real server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { CodexClient, type Thread } from "codexwright";
import { memoryPair } from "codexwright/rpc";
import { Endpoint } from "codexwright/server";
import {
  compareRuns,
  fakeTarget,
  realTarget,
  runScenario,
  scenarios,
  scriptedModel,
  type ConformanceTarget,
} from "@codexwright/testing";

// #region server
/** A server that supports the handshake and listing threads, of which there are none yet. */
const ours: ConformanceTarget = {
  name: "ours",
  version: "0.166.0",
  transport: "memory",
  async open(setup) {
    const endpoint = new Endpoint({
      handlers: { "thread/loaded/list": () => ({ data: [], nextCursor: null }) },
    });
    const model = await scriptedModel(setup.model);
    const workspace = await mkdtemp(path.join(tmpdir(), "ours-"));
    return {
      model,
      workspace,
      transport: () => {
        const [client, server] = memoryPair();
        endpoint.accept(server);
        return client;
      },
      async [Symbol.asyncDispose]() {
        await endpoint[Symbol.asyncDispose]();
        await model.close();
        await rm(workspace, { recursive: true });
      },
    };
  },
  unsupported: ({ id }) => (id.startsWith("handshake.") ? undefined : "ours has no threads yet"),
};
// #endregion server

// #region table
async function table(target: ConformanceTarget, area: string): Promise<void> {
  const counts = { passed: 0, failed: 0, unsupported: 0 };
  for (const scenario of scenarios.filter(({ id }) => id.startsWith(`${area}.`))) {
    const result = await runScenario(scenario, target);
    counts[result.outcome]++;
    if (result.outcome === "failed") console.log(`${scenario.id}: ${String(result.error)}`);
  }
  const { passed, failed, unsupported } = counts;
  console.log(`${target.name}, ${area}: ${passed} passed, ${failed} failed, ${unsupported} not run`);
}

await table(ours, "handshake");
await table(ours, "approval");
// #endregion table

// #region client
/** Our own client: whatever it adds, turns must work as before. */
class CountingClient extends CodexClient {
  static threads = 0;

  override startThread(...args: Parameters<CodexClient["startThread"]>): Promise<Thread> {
    CountingClient.threads++;
    return super.startThread(...args);
  }
}

const counting: ConformanceTarget = { ...fakeTarget(), client: (options) => new CountingClient(options) };
await table(counting, "turn");
console.log(CountingClient.threads, "threads");
// #endregion client

// #region compare
const scenario = scenarios.find(({ id }) => id === "approval.decline");
if (!scenario) throw new Error("no such scenario");

const real = await runScenario(scenario, realTarget({ version: "0.166.0" }));
const fake = await runScenario(scenario, fakeTarget());
console.log(`${scenario.id}: ${scenario.statement}`);
console.log(real.outcome, fake.outcome, compareRuns(real, fake).length, "differences");
// #endregion compare
