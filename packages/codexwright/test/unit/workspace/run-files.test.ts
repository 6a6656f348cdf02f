import { definePrompt, Files, memoryFs, provide, section, tool, type Provider } from "codexwright/agent";
import { reply, toolCall } from "@codexwright/testing";
import { Workspace } from "codexwright/workspace";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { eventsOf, fakeWorld } from "../agent/run-world.ts";

const put = tool({
  name: "put",
  description: "Writes a file.",
  input: z.object({ text: z.string() }),
  async run({ text }, { resources, fail }) {
    const files = await resources.get(Files);
    await files.write("a.txt", text);
    if (text === "bad") fail("not that");
  },
});

function promptWith(resources: readonly Provider[] = []) {
  return definePrompt({
    id: "p",
    resources,
    sections: (make) => [make({ key: "a", title: "A", tools: [put] })],
  });
}

verifies(
  "agent.workspace.files",
  "a run with a workspace provides its files, with rollback",
  async () => {
    const host = mkdtempSync(path.join(tmpdir(), "codexwright-files-"));
    try {
      writeFileSync(path.join(host, "a.txt"), "one");
      await using workspace = await Workspace.create({
        mounts: [{ from: host, to: "" }],
        allowedRoots: [host],
      });
      const file = path.join(workspace.dir, "a.txt");
      const calls = [toolCall("put", { text: "two" }), toolCall("put", { text: "bad" }), reply("done")];
      await using world = await fakeWorld({ model: [...calls, ...calls, ...calls] });
      const run = world.agent.run(promptWith(), { workspace });
      await run.result;
      expect(eventsOf(run, "tool.invoked").map(({ output }) => output)).toEqual(["OK", "not that"]);
      expect(readFileSync(file, "utf8")).toBe("two");
      expect(readFileSync(path.join(host, "a.txt"), "utf8")).toBe("one");

      // A provider of the prompt or the run takes precedence.
      rmSync(file);
      const memory = memoryFs();
      const own = provide(Files, () => memory);
      await world.agent.run(promptWith([own]), { workspace }).result;
      expect(await memory.readText("a.txt")).toBe("two");
      await memory.remove("a.txt");
      await world.agent.run(promptWith(), { workspace, resources: [own] }).result;
      expect(await memory.readText("a.txt")).toBe("two");
      expect(existsSync(file)).toBe(false);
    } finally {
      rmSync(host, { recursive: true });
    }
  },
  { against: "fake" },
);

verifies(
  ["agent.workspace.files", "agent.resources.shared"],
  "calls of runs that share a workspace use its files one after another",
  async () => {
    for (const fails of [false, true]) {
      await using workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
      let [begun, reads] = [0, 0];
      /** Lets the other call run in between if it can. */
      const until = async (done: () => boolean): Promise<void> => {
        for (let n = 0; n < 300 && !done(); n++) await nextTick();
      };
      const append = tool({
        name: "append",
        description: "Adds a line.",
        input: z.object({ line: z.string() }),
        async run({ line }, { resources, fail }) {
          begun++;
          await until(() => begun === 2);
          const files = await resources.get(Files);
          const old = (await files.exists("a.txt")) ? await files.readText("a.txt") : "";
          reads++;
          await until(() => reads === 2);
          await files.write("a.txt", old + line);
          if (fails && line === "one ") fail("not that");
        },
      });
      const prompt = definePrompt({
        id: "p",
        sections: [section({ key: "a", title: "A", tools: [append] })],
      });
      const runs = ["one ", "two "].map(async (line) => {
        await using world = await fakeWorld({ model: [toolCall("append", { line }), reply("done")] });
        await world.agent.run(prompt, { workspace }).result;
      });
      await Promise.all(runs);
      const lines = readFileSync(path.join(workspace.dir, "a.txt"), "utf8").trim().split(" ").toSorted();
      expect(lines).toEqual(fails ? ["two"] : ["one", "two"]);
    }
  },
  { against: "fake" },
);

verifies(
  "agent.workspace.files",
  "without a workspace, Files must be provided",
  async () => {
    await using world = await fakeWorld({ model: [toolCall("put", { text: "two" }), reply("done")] });
    const run = world.agent.run(promptWith());
    await run.result;
    expect(eventsOf(run, "tool.invoked")[0]?.output).toContain("has no provider");
  },
  { against: "fake" },
);

verifies("api.close", "close() does the same as disposing", async () => {
  const workspace = await Workspace.create({ mounts: [], allowedRoots: "any" });
  await workspace.close();
  await workspace.close();
  expect(existsSync(workspace.dir)).toBe(false);
  const world = await fakeWorld({ model: [] });
  await world.agent.close();
  expect(() => world.agent.run(promptWith())).toThrow("the agent is closed");
  await world.fake.close();
  await world.fake[Symbol.asyncDispose]();
});

// An imported section also works next to those that the prompt creates.
verifies("agent.prompt.sections", "a prompt can create its sections with a function", () => {
  const prompt = definePrompt({
    id: "p",
    input: z.object({ repo: z.string() }),
    sections: (make) => [
      make({
        key: "a",
        title: "A",
        body: ({ repo }) => repo,
        children: [make({ key: "b", title: "B", body: (p) => p.repo })],
      }),
      section({ key: "c", title: "C" }),
    ],
  });
  expect(prompt.render({ repo: "x" }).text).toBe("## 1. A (a)\n\nx\n\n### 1.1. B (a.b)\n\nx\n\n## 2. C (c)");
  expect(() => definePrompt({ id: "p", sections: (() => "x") as never })).toThrow(
    "sections must be an array",
  );
  expect(() => definePrompt({ id: "p", sections: (make) => [make({ key: "A", title: "" })] })).toThrow(
    "key of section",
  );
});
