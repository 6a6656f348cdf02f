import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { CodexClient } from "codexwright";
import { realAppServer, scriptedModel, type ModelRequest } from "@codexwright/testing";
import { websocket } from "codexwright/websocket";
import { killAll, serversOf } from "../../packages/test-support/src/world.ts";
import { tcpProxy } from "../../packages/test-support/src/tcp-proxy.ts";
import { collectGarbage } from "../../packages/test-support/src/gc.ts";
import type { Drill } from "../lib/drill.ts";
import { Ledger } from "./ledger.ts";
import { modelScript } from "./model-script.ts";
import { work } from "./worker.ts";

/**
 * The range of pauses between two faults. Some pauses are long enough for a server to count as healthy again, which
 * resets the delay before the next reconnect.
 */
const BETWEEN_FAULTS_MS = [500, 12_000] as const;
const MEBIBYTE = 1_048_576;

/**
 * Runs turns with tools for some minutes (CODEXWRIGHT_SOAK_MINUTES), while servers die and connections break.
 */
export const soak: Drill = {
  name: "soak",
  fault: "random faults",
  async run(run) {
    const minutes = Number(process.env["CODEXWRIGHT_SOAK_MINUTES"] ?? 60);
    const until = performance.now() + minutes * 60_000;
    const over = (): boolean => performance.now() > until;
    const { random } = run;
    const ledger = new Ledger();
    const faults = new Map<string, number>();
    const script = modelScript(random, ledger);
    await using model = await scriptedModel((request) => {
      // Drop the previous request. The model keeps all its requests, and they would take most of the memory here.
      (model.requests as (ModelRequest | undefined)[])[request.index - 1] = undefined;
      return script(request);
    });
    await using own = await realAppServer({ model });
    await using shared = await realAppServer({ model, listen: "ws" });
    await using proxy = await tcpProxy(shared.url);
    await using spawning = await CodexClient.connect({
      ...own.clientOptions,
      reconnect: { attempts: 1_000 },
    });
    await using remote = await CodexClient.connect({
      transport: websocket(proxy.url),
      reconnect: { attempts: 1_000 },
    });

    /** Each world has its own faults. No fault happens while the world's worker compares states. */
    const world = (name: string, choices: Readonly<Record<string, () => void | Promise<void>>>) => {
      let disturbing: Promise<void> = Promise.resolve();
      let calm = 0;
      const disturb = async (): Promise<void> => {
        while (!over()) {
          const [least, most] = BETWEEN_FAULTS_MS;
          await delay(least + random.below(most - least));
          if (calm > 0 || over()) continue;
          const fault = random.pick(Object.keys(choices));
          faults.set(fault, (faults.get(fault) ?? 0) + 1);
          disturbing = Promise.resolve(choices[fault]?.());
          await disturbing;
        }
      };
      return {
        name,
        disturb,
        undisturbed: async <T>(job: () => Promise<T>): Promise<T> => {
          calm++;
          await disturbing;
          try {
            return await job();
          } finally {
            calm--;
          }
        },
      };
    };
    const first = world("own", {
      "kill -9": () => killAll(serversOf(own.codexHome)),
      SIGSTOP: async () => {
        const pids = serversOf(own.codexHome);
        killAll(pids, "SIGSTOP");
        await delay(random.below(2_000));
        killAll(pids, "SIGCONT");
      },
    });
    const second = world("shared", {
      cut: () => proxy.cut(),
      "cut in a frame": () => void proxy.cutAfter(random.below(14_000)),
    });
    const start = await measured();
    const common = { ledger, random, over };
    await Promise.all([
      work({ ...common, ...first, codex: spawning, mayLose: true }),
      work({ ...common, ...second, codex: remote, mayLose: false }),
      first.disturb(),
      second.disturb(),
    ]);
    const end = await measured();
    for (const line of facts(ledger, faults)) run.fact(line);
    run.fact(
      `${end.files - start.files} more open files and ${((end.heap - start.heap) / MEBIBYTE).toFixed(1)} MiB more in use at the end`,
    );
    assert.deepEqual(ledger.wrong, []);
  },
};

function facts({ counts, outcomes }: Ledger, faults: ReadonlyMap<string, number>): string[] {
  const list = (map: ReadonlyMap<string, number>): string =>
    [...map]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, times]) => `${times} ${name}`)
      .join(", ");
  return [
    `faults: ${list(faults)}, besides aborts and faults of the model`,
    `${counts.turns} turns, each with one outcome: ${list(outcomes)}`,
    `${counts.modelItems} items sent by the model, ${counts.told} reported by the servers, in ${counts.threads} threads: each in the client's state once`,
    `${counts.calls} tool calls, none run twice`,
    `${counts.askedAgain} times Codex asked the model again for the same step; the answer it used is in the client's state once`,
    `${counts.lostByServer} items that a killed server had reported but not yet written`,
  ];
}

async function measured(): Promise<{ files: number; heap: number }> {
  await collectGarbage();
  return { files: readdirSync("/proc/self/fd").length, heap: process.memoryUsage().heapUsed };
}
