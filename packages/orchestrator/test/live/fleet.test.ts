import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { exec, reply, toolCall } from "@codexwright/testing";
import { Fleet } from "@codexwright/orchestrator";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, processesOf } from "@codexwright/test-support/world";
import { eventually } from "../support/fleet-world.ts";
import { runWorld } from "../support/run-world.ts";

describe("a fleet with the real Codex", () => {
  verifies(
    ["symphony.17.8.smoke", "symphony.17.8.isolated", "fleet.life.diff"],
    "works on a folder of issues until they are finished, and leaves nothing behind",
    async () => {
      const usage = { inputTokens: 100, outputTokens: 10 };
      const work = (name: string) => [
        exec(`echo ${name} > work.txt; pwd > ../../${name}.place`, { usage }),
        toolCall("issue_update", { state: "done", comment: `It is done: ${name}.` }, { usage }),
        reply("done", { usage }),
      ];
      await using world = await runWorld([...work("first"), ...work("second")]);
      const folder = path.join(world.server.root, "project");
      await mkdir(path.join(folder, "issues"), { recursive: true });
      const file = (name: string): string => path.join(folder, "issues", `${name}.md`);
      await writeFile(file("A-2"), "---\ntitle: The second\nstate: todo\npriority: 2\n---\nText of A-2.\n");
      await writeFile(file("A-1"), "---\ntitle: The first\nstate: todo\npriority: 1\n---\nText of A-1.\n");
      const lines = [
        "---",
        "tracker: { kind: folder }",
        `workspace: { root: ${JSON.stringify(path.join(folder, "workspaces"))} }`,
        "agent: { max_concurrent_agents: 1 }",
        `codex: { command: ${JSON.stringify(world.commandWith(world.codex))}, read_timeout_ms: 60000, thread_sandbox: danger-full-access }`,
        "---",
        "Work on {{ issue.title }}: {{ issue.description }}",
      ];
      const workflow = path.join(folder, "WORKFLOW.md");
      await writeFile(workflow, lines.join("\n"));
      const fleet = await Fleet.open({ workflow, data: path.join(folder, "state"), log: [] });
      const finished = async (): Promise<true | undefined> => {
        const states = await Promise.all(["A-1", "A-2"].map((name) => readFile(file(name), "utf8")));
        const workspaces = await readdir(path.join(folder, "workspaces")).catch(() => ["not yet"]);
        return (
          (states.every((text) => text.includes("state: done")) &&
            workspaces.every((name) => name.startsWith("."))) ||
          undefined
        );
      };
      await eventually(finished);
      const { patch } = await fleet.diff("A-1");
      expect(patch).toContain("+first");
      await expect(fleet.diff("A-1", { run: "no such run" })).rejects.toMatchObject({
        code: "run_not_found",
      });
      await fleet.close();

      expect(await readFile(file("A-1"), "utf8")).toContain("It is done: first.");
      expect(await readFile(path.join(folder, "first.place"), "utf8")).toMatch(/workspaces\/A-1\n$/);
      const [first] = world.model.requests;
      expect(JSON.stringify(first?.body)).toContain("Work on The first: Text of A-1.");
      expect(await readdir(path.join(folder, "state/runs"))).toEqual([]);
      expect(processesOf(world.server.root)).toEqual([]);
    },
    { ...PINNED, timeoutMs: 120_000 },
  );
});
