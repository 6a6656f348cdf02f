import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { definePrompt, section } from "codexwright/agent";
import { Workspace } from "codexwright/workspace";
import { exec, reply } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld } from "./agent-world.ts";

verifies(
  "agent.workspace.at",
  "a run in an existing folder leaves it, and a later workspace of the folder takes the run's changes back",
  async () => {
    await using live = await agentWorld([exec("echo two >a.txt; echo new >b.txt"), reply("Done.")], {
      sandbox: "danger-full-access",
      approvalPolicy: "never",
    });
    const dir = path.join(live.server.workspace, "clone");
    const checkpoints = path.join(live.server.root, "kept");
    mkdirSync(dir);
    writeFileSync(path.join(dir, "a.txt"), "one\n");
    const prompt = definePrompt({ id: "p", sections: [section({ key: "a", title: "A", body: "Go." })] });
    {
      await using workspace = await Workspace.at(dir, { checkpoints });
      const run = live.agent.run(prompt, { workspace });
      expect((await run.result).text).toBe("Done.");
      expect(await run.diff()).toContain("-one\n+two");
    }
    await using workspace = await Workspace.at(dir, { checkpoints });
    const [before, after, ...more] = await workspace.checkpoints();
    expect(more).toEqual([]);
    if (!before || !after) throw new Error("a run takes two checkpoints");
    expect(await workspace.diff(before, after)).toContain("+new");
    expect(await workspace.revert(before)).toEqual(["a.txt", "b.txt"]);
    expect(readFileSync(path.join(dir, "a.txt"), "utf8")).toBe("one\n");
  },
  { against: "pinned" },
);
