import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { makeRepository, script } from "../../../quality/lib/repository.ts";
import { TASKS } from "../../../quality/tasks/index.ts";

verifies(
  "quality.tasks",
  "each task fails without work and passes with its solution",
  async () => {
    expect(TASKS).toHaveLength(30);
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(30);
    expect(new Set(TASKS.map(({ prompt }) => prompt)).size).toBe(30);
    for (const task of TASKS) {
      await using untouched = await makeRepository(task);
      const before = readdirSync(untouched.folder);
      expect([task.name, await untouched.problem()]).toEqual([task.name, expect.any(String)]);
      expect(readdirSync(untouched.folder).filter((name) => name.includes("check-of-the-task"))).toEqual([]);
      expect(before.length).toBeGreaterThan(1);
      await using solved = await makeRepository(task);
      await script(solved.folder, task.solution);
      expect([task.name, await solved.problem()]).toEqual([task.name, undefined]);
    }
  },
  { timeoutMs: 600_000 },
);

verifies("quality.tasks", "a check sees what is wrong", async () => {
  const task = TASKS.find(({ name }) => name === "edit-long-file")!;
  await using repository = await makeRepository(task);
  await script(repository.folder, `${task.solution}; echo "// more" >>values.js`);
  expect(await repository.problem()).toContain("AssertionError");
  await script(repository.folder, "git checkout -q values.js");
  await new Promise((done) => execFile("sh", ["-c", task.solution], { cwd: repository.folder }, done));
  expect(await repository.problem()).toBeUndefined();
});
