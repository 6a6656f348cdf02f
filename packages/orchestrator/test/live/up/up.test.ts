import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { exec, hang, reply, toolCall, userInput } from "@codexwright/testing";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import type { ApiState } from "@codexwright/orchestrator/cli";
import { PINNED } from "@codexwright/test-support/world";
import { jsonLines } from "../../../../cli/test/support/json-lines.ts";
import { eventually } from "../../support/fleet-world.ts";
import { UpWorld, type Agent } from "../../support/up-world.ts";

const COMMAND = path.resolve(import.meta.dirname, "../../../../cli/dist/codexwright.js");

/** Writes a file, sets the state, and ends the turn. */
const works: Agent = ({ issue, calls }) => {
  if (calls === 0) return exec(`echo ${issue} > ${issue}.txt && pwd`);
  if (calls === 1) return toolCall("issue_update", { state: "done", comment: `${issue} is finished.` });
  return reply("It is done.");
};

async function finishesTwo(world: UpWorld): Promise<void> {
  const { exitCode, stdout } = await world.run(["up", "--once", "--json"]);
  const lines = await jsonLines(stdout);
  const phases = lines.filter(({ type }) => type === "fleet").map(({ phase }) => phase);
  expect([exitCode, phases]).toEqual([0, ["started", "stopped"]]);
  expect([await world.stateOf("A-1"), await world.stateOf("A-2")]).toEqual(["done", "done"]);
  expect(await world.textOf("A-2")).toContain("A-2 is finished.");
  // A-2 waits for A-1.
  const order = world.seen.map(({ issue }) => issue);
  expect(order.lastIndexOf("A-1")).toBeLessThan(order.indexOf("A-2"));
  const released = lines.filter(({ event }) => event === "claim.released");
  expect(released.map(({ issue_identifier }) => issue_identifier)).toEqual(["A-1", "A-2"]);
  // Each agent worked in the folder of its issue, which is removed when the issue is done.
  const outputs = world.seen.flatMap(({ request }) => Object.values(request.toolOutputs)).join("\n");
  for (const issue of ["A-1", "A-2"]) expect(outputs).toContain(world.workspace(issue));
}

/** Codex offers its tool for questions in the default mode only with this feature. */
const ASKS = "[features]\ndefault_mode_request_user_input = true\n";

const question = userInput([
  {
    id: "db",
    header: "Database",
    question: "Which database?",
    options: [
      { label: "SQLite", description: "A file." },
      { label: "PostgreSQL", description: "A server." },
    ],
  },
]);

/** The state as `fleet status --json` prints it, when it fits. */
async function stateWhen(world: UpWorld, fits: (state: ApiState) => boolean): Promise<ApiState> {
  return await eventually(async () => {
    const { stdout } = await world.run(["status", "--json"]);
    const [line] = await jsonLines(stdout);
    const state = line?.["state"] as ApiState | undefined;
    return state !== undefined && fits(state) ? state : undefined;
  });
}

describe("codexwright fleet up", () => {
  verifies(
    ["fleet.up.once", "fleet.up.json"],
    "--once works on two issues to the end, one blocked by the other, and exits with 0",
    async () => {
      await using world = await UpWorld.open({
        "A-1": { agent: works },
        "A-2": { agent: works, blockedBy: ["A-1"] },
      });
      await finishesTwo(world);
      expect(await world.workspaces()).toEqual([]);
    },
    PINNED,
  );

  verifies("fleet.up.engine", "does the same with our own app-server", async () => {
    const codex = `'${process.execPath}' '${COMMAND}' app-server`;
    await using world = await UpWorld.open(
      { "A-1": { agent: works }, "A-2": { agent: works, blockedBy: ["A-1"] } },
      { codex },
    );
    await finishesTwo(world);
  });

  verifies(
    "fleet.up.question",
    "a question blocks the issue, and the answer goes on with the same thread",
    async () => {
      await using world = await UpWorld.open({ "A-1": { agent: asking() } }, { config: ASKS });
      const up = world.start(["up"]);
      const { blocked } = await stateWhen(world, ({ counts }) => counts.blocked === 1);
      expect(blocked[0]?.message).toContain("Which database?");
      const answered = await world.run(["answer", "A-1", "Use SQLite."]);
      expect(answered.exitCode).toBe(0);
      await eventually(async () => ((await world.stateOf("A-1")) === "done" ? true : undefined));
      up.kill("SIGINT");
      expect((await up.done).exitCode).toBe(0);
      expect(new Set(world.seen.map(({ request }) => request.threadId)).size).toBe(1);
    },
    PINNED,
  );

  verifies(
    "fleet.up.killed",
    "after kill -9, the next start ends the agent and goes on with its thread",
    async () => {
      const agent: Agent = ({ calls, prompts }) => {
        if (prompts.join("\n").includes("ended early")) return calls < 2 ? finish : reply("It is done.");
        return exec("echo $$ > pid; exec sleep 600");
      };
      await using world = await UpWorld.open({ "A-1": { agent } });
      const first = world.start(["up"]);
      const pid = await eventually(async () => {
        const text = await readFile(path.join(world.workspace("A-1"), "pid"), "utf8").catch(() => "");
        return Number(text) || undefined;
      });
      first.kill("SIGKILL");
      await first.done;
      const second = await world.run(["up", "--once", "--json"]);
      expect(second.exitCode).toBe(0);
      expect(await world.stateOf("A-1")).toBe("done");
      expect(isAlive(pid)).toBe(false);
      const events = (await jsonLines(second.stdout)).map(({ event }) => event);
      expect(events).toContain("run.lost");
      expect(new Set(world.seen.map(({ request }) => request.threadId)).size).toBe(1);
    },
    PINNED,
  );

  verifies(
    ["fleet.up.signals", "symphony.17.7.nonzero"],
    "the first signal lets the turns end, the second one interrupts them, and the next start goes on",
    async () => {
      const hold = deferred();
      let held = 0;
      const agent: Agent = async ({ calls }) => {
        if (calls > 0) return reply("It is done.");
        held++;
        if (held === 1) await hold.promise;
        return held < 3 ? (held === 2 ? hang() : reply("A part is done.")) : finish;
      };
      await using world = await UpWorld.open({ "A-1": { agent } });
      const first = world.start(["up", "--json"]);
      await until(() => held === 1);
      first.kill("SIGINT");
      await first.shows('"draining"');
      hold.resolve();
      const drained = await first.done;
      expect(drained.exitCode).toBe(0);
      expect((await jsonLines(drained.stdout)).map(({ phase, event }) => phase ?? event)).toEqual(
        expect.arrayContaining(["started", "draining", "run.ended", "stopped"]),
      );

      const second = world.start(["up"]);
      await until(() => held === 2);
      second.kill("SIGTERM");
      await eventually(async () => {
        const { stdout } = await world.run(["logs", "--json"]);
        return stdout.includes("drain") || undefined;
      });
      second.kill("SIGTERM");
      expect((await second.done).exitCode).toBe(130);

      const third = await world.run(["up", "--once"]);
      expect([third.exitCode, await world.stateOf("A-1")]).toEqual([0, "done"]);
      expect(new Set(world.seen.map(({ request }) => request.threadId)).size).toBe(1);
    },
    PINNED,
  );
});

const finish = toolCall("issue_update", { state: "done" });

/** Asks, and finishes the issue after the answer. */
function asking(): Agent {
  let finished = false;
  return ({ prompts }) => {
    if (!prompts.join("\n").includes("Use SQLite.")) return question;
    if (finished) return reply("It is done.");
    finished = true;
    return finish;
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
