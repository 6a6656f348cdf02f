import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { hookEnv, IssueWorkspace } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { NEVER, world } from "./world.ts";

verifies(
  "fleet.workspace.hook.shell",
  "a hook runs with bash in the workspace as leader of its group",
  async () => {
    await using at = world();
    const script = `[[ -n $BASH_VERSION ]] && shopt -q login_shell && pwd -P > pwd && cat > stdin
    ps -o pgid= -p $$ | tr -d ' ' > group; echo $$ > pid`;
    const { path: folder } = await at.open("ABC-1", { afterCreate: script });
    const read = (name: string): string => readFileSync(path.join(folder, name), "utf8").trim();
    expect(read("pwd")).toBe(realpathSync(folder));
    expect(read("stdin")).toBe("");
    expect(read("group")).toBe(read("pid"));
  },
);

verifies(
  [
    "fleet.workspace.hook.order",
    "symphony.17.2.after-create",
    "symphony.17.2.before-run",
    "symphony.17.2.after-run",
    "symphony.17.2.before-remove",
  ],
  "each hook runs at its time",
  async () => {
    await using at = world();
    const hooks = { afterCreate: "true", beforeRun: "true", afterRun: "true", beforeRemove: "true" };
    const first = await at.open("ABC-1", hooks);
    await first.beforeRun(NEVER);
    await first.afterRun(NEVER);
    const second = await at.open("ABC-1", hooks);
    await second.beforeRun(NEVER);
    await second.afterRun(NEVER);
    await second.remove(NEVER);
    const names = ["after_create", "before_run", "after_run", "before_run", "after_run", "before_remove"];
    expect(at.hooks).toEqual(names.map((name) => `${name}: ok`));
  },
);

verifies(
  ["fleet.workspace.hook.fatal", "symphony.17.2.population", "symphony.17.2.after-run"],
  "only after_create and before_run are fatal",
  async () => {
    await using at = world();
    const failing = "echo why; exit 3";
    const error = { code: "hook_failed", hook: "before_run", output: "why" };
    await expect(at.open("ABC-1", { afterCreate: failing })).rejects.toMatchObject({ code: "hook_failed" });
    const hooks = { beforeRun: failing, afterRun: failing, beforeRemove: failing };
    const workspace = await at.open("ABC-1", hooks);
    await expect(workspace.beforeRun(NEVER)).rejects.toMatchObject(error);
    await workspace.afterRun(NEVER);
    await workspace.remove(NEVER);
    const names = ["after_create", "before_run", "after_run", "before_remove"];
    expect(at.hooks).toEqual(names.map((name) => `${name}: hook_failed`));
    expect(at.log).toEqual(["why", "why", "why", "why"]);
  },
);

verifies(
  [
    "fleet.workspace.hook.fatal",
    "symphony.17.2.before-run",
    "symphony.17.2.after-run",
    "symphony.17.2.before-remove",
  ],
  "a timeout ends an attempt before its run, and is only reported after it",
  async () => {
    await using at = world();
    const slow = "sleep 600";
    const hooks = { beforeRun: slow, afterRun: slow, beforeRemove: slow, timeoutMs: 200 };
    const workspace = await at.open("ABC-1", hooks);
    await expect(workspace.beforeRun(NEVER)).rejects.toMatchObject({ code: "hook_timeout" });
    await workspace.afterRun(NEVER);
    await workspace.remove(NEVER);
    expect(readdirSync(at.root)).toEqual([]);
    const names = ["before_run", "after_run", "before_remove"];
    expect(at.hooks).toEqual(names.map((name) => `${name}: hook_timeout`));
  },
);

verifies("fleet.workspace.hook.fatal", "a hook that cannot be started is a failed hook", async () => {
  await using at = world();
  for (const script of ["a\0b", `# ${"x".repeat(4_000_000)}`])
    await expect(at.open("ABC-1", { afterCreate: script })).rejects.toMatchObject({ code: "hook_failed" });
  expect(readdirSync(at.root)).toEqual([]);
});

verifies(
  "fleet.workspace.unfinished",
  "a failed after_create leaves nothing, so that it runs again",
  async () => {
    await using at = world();
    const aborted = AbortSignal.abort(new Error("stop"));
    await expect(at.open("ABC-1", { afterCreate: "touch half; exit 1" })).rejects.toThrow(
      "exited with code 1",
    );
    await expect(at.open("ABC-1", { afterCreate: "touch half; kill -9 $$" })).rejects.toThrow(
      "ended by SIGKILL",
    );
    await expect(at.open("ABC-1", { afterCreate: "touch half" }, aborted)).rejects.toThrow("stop");
    expect(readdirSync(at.root)).toEqual([]);
    const workspace = await at.open("ABC-1", { afterCreate: "ls > seen" });
    expect(workspace.createdNow).toBe(true);
    expect(readFileSync(path.join(workspace.path, "seen"), "utf8")).toBe("seen\n");
    expect(readdirSync(at.root)).toEqual(["ABC-1"]);
  },
);

verifies("fleet.workspace.unfinished", "two new workspaces do not disturb each other", async () => {
  await using at = world();
  const names = ["A", "B", "C", "D"];
  const script = `touch done; [ "$CODEXWRIGHT_ISSUE_IDENTIFIER" != B ]`;
  const opened = await Promise.allSettled(names.map((name) => at.open(name, { afterCreate: script })));
  expect(opened.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(readdirSync(at.root).toSorted()).toEqual(["A", "C", "D"]);
});

verifies("security.s99", "texts of an issue reach a hook as data and never as code", async () => {
  await using at = world();
  const folder = path.join(at.folder, "pwned");
  const hostile = [
    `$(touch ${folder})`,
    `\`touch ${folder}\``,
    `"; touch ${folder}; "`,
    `'; touch ${folder}; '`,
    `\n touch ${folder}\n`,
    `() { :; }; touch ${folder}`,
    `-n`,
    `a[$(touch ${folder})]`,
    `\u202e\u0007\u001b]0;x`,
  ];
  for (const identifier of hostile) {
    const script = `printf %s "$CODEXWRIGHT_ISSUE_IDENTIFIER" > identifier; printf %s "$CODEXWRIGHT_ISSUE_ID" > id`;
    const options = at.options({ afterCreate: script }, { issue: { id: identifier, identifier } });
    const workspace = await IssueWorkspace.open(at.root, options, NEVER);
    expect(readFileSync(path.join(workspace.path, "identifier"), "utf8")).toBe(identifier);
    expect(readFileSync(path.join(workspace.path, "id"), "utf8")).toBe(identifier);
  }
  expect(existsSync(folder)).toBe(false);
  // The attack works on a script that contains the text.
  await at.open("naive", { afterCreate: `echo "${hostile[0]}"` });
  expect(existsSync(folder)).toBe(true);
});

verifies("fleet.workspace.hook.issue", "a text that cannot be a variable is left out", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constant("x\0y"), fc.constant("x".repeat(5_000)));
  fc.assert(
    fc.property(text, text, (id, identifier) => {
      const env = hookEnv({ PATH: "/bin" }, { id, identifier }, "/w", []);
      const fits = (value: string): boolean => !value.includes("\0") && value.length <= 4_096;
      expect(env["CODEXWRIGHT_ISSUE_ID"]).toBe(fits(id) ? id : undefined);
      expect(env["CODEXWRIGHT_ISSUE_IDENTIFIER"]).toBe(fits(identifier) ? identifier : undefined);
      expect(env["CODEXWRIGHT_WORKSPACE"]).toBe("/w");
    }),
  );
});

verifies("security.s99", "a hook does not inherit the secrets of the tracker", async () => {
  await using at = world();
  process.env["TEST_TRACKER_TOKEN"] = "plain-word-secret-of-the-tracker";
  try {
    const hooks = { afterCreate: "env > env" };
    const issue = { id: "1", identifier: "with" };
    const removed = at.options(hooks, { issue, secretEnv: ["TEST_TRACKER_TOKEN"] });
    const { path: folder } = await IssueWorkspace.open(at.root, removed, NEVER);
    expect(readFileSync(path.join(folder, "env"), "utf8")).not.toContain("plain-word-secret");
    const naive = await at.open("without", hooks);
    expect(readFileSync(path.join(naive.path, "env"), "utf8")).toContain("plain-word-secret");
  } finally {
    delete process.env["TEST_TRACKER_TOKEN"];
  }
});

verifies("security.s99", "PATH does not lead a hook to programs of the workspace", async () => {
  await using at = world();
  const plant = "printf '#!/bin/sh\\necho planted' > tool; chmod +x tool; mkdir bin; cp tool bin";
  const run = "tool || true";
  const own = process.env["PATH"];
  try {
    for (const entry of ["", ".", "./", "bin", "./bin"]) {
      process.env["PATH"] = `${entry}:${own}`;
      const workspace = await at.open("ABC-1", { afterCreate: plant, beforeRun: run });
      await workspace.beforeRun(NEVER);
      await workspace.remove(NEVER);
    }
  } finally {
    process.env["PATH"] = own;
  }
  expect(at.log.join()).not.toContain("planted");
  // The attack works on a hook that adds a relative entry.
  const workspace = await at.open("ABC-1", { afterCreate: plant, beforeRun: `PATH=".:$PATH"; ${run}` });
  await workspace.beforeRun(NEVER);
  expect(at.log.at(-1)).toBe("planted");
});
