import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { EngineServer, type EngineServerOptions } from "@codexwright/engine";
import { engineDefaults, type EngineOptions } from "@codexwright/engine/node";
import type { CodexClient } from "codexwright";
import type { ThreadStartParams } from "codexwright/protocol";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, message, modelOf } from "../ports.ts";
import { makeHome, TRUST, type Home } from "./home.ts";

interface Started extends AsyncDisposable {
  readonly codex: CodexClient;
  start(params?: ThreadStartParams): Promise<Record<string, unknown>>;
}

async function started(home: Home, options: EngineOptions = {}): Promise<Started> {
  const all: EngineServerOptions = await engineDefaults({
    provider: modelOf(),
    home: home.home,
    cwd: home.project,
    ...options,
  });
  const server = new EngineServer(all);
  const codex = await connect(server);
  return {
    codex,
    async start(params = {}) {
      const { thread: _, ...answer } = await codex.request("thread/start", params);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await codex.disconnect();
      await server.close();
    },
  };
}

verifies("engine.config.threads", "reads the configuration of the folder of each thread", async () => {
  await using home = await makeHome({
    "home/config.toml": `model = "user"\n${TRUST}`,
    "project/.codex/config.toml": 'model = "root"\nmodel_reasoning_effort = "low"\n',
    "project/sub/.codex/config.toml": 'model = "sub"\n[sandbox_workspace_write]\nwritable_roots = ["more"]\n',
    "other/.codex/config.toml": 'model = "other"\n',
  });
  await using engine = await started(home, { cwd: home.home });
  const of = async (params: ThreadStartParams): Promise<unknown> => {
    const { model, reasoningEffort, sandbox } = await engine.start(params);
    return [model, reasoningEffort, (sandbox as { type: string }).type];
  };
  expect(await of({})).toEqual(["user", null, "readOnly"]);
  expect(await of({ cwd: home.project })).toEqual(["root", "low", "workspaceWrite"]);
  expect(await of({ cwd: path.join(home.project, "sub") })).toEqual(["sub", "low", "workspaceWrite"]);
  expect(await of({ cwd: path.join(home.root, "other") })).toEqual(["user", null, "readOnly"]);
  expect(await of({ cwd: home.project, config: { model: "client" } })).toEqual([
    "client",
    "low",
    "workspaceWrite",
  ]);
  // A file that changes counts for the next thread.
  await home.write("project/.codex/config.toml", 'model = "later"\n');
  expect(await of({ cwd: home.project })).toEqual(["later", null, "workspaceWrite"]);
  await home.write("project/.codex/config.toml", "model = ");
  expect(await rejection(engine.start({ cwd: home.project }))).toMatchObject({
    message: expect.stringMatching(/^failed to load configuration: .*invalid TOML in line 1/) as string,
  });
});

verifies(
  "engine.config.threads",
  "options of the engine take precedence over files, and the client over both",
  async () => {
    await using home = await makeHome({
      "home/config.toml": `model = "user"\ndefault_permissions = ":workspace"\n${TRUST}`,
      "project/.codex/config.toml": 'approval_policy = "never"\n',
    });
    await using engine = await started(home, {
      config: { model: "option", sandboxMode: "read-only" },
      overrides: ['model_reasoning_effort="high"'],
    });
    expect(await engine.start()).toMatchObject({
      model: "option",
      approvalPolicy: "never",
      reasoningEffort: "high",
      sandbox: { type: "readOnly" },
      activePermissionProfile: null,
    });
    const asked = { model: "client", approval_policy: "untrusted", default_permissions: ":workspace" };
    expect(await engine.start({ config: asked })).toMatchObject({
      model: "client",
      approvalPolicy: "untrusted",
      reasoningEffort: "high",
      activePermissionProfile: { id: ":workspace" },
    });
  },
);

verifies("engine.config.trust", "neither a client nor a thread makes a project trusted", async () => {
  await using home = await makeHome({
    "home/config.toml": 'model = "user"\n',
    "project/.codex/config.toml": `model = "project"\n${TRUST}`,
    "project/.codex/rules/a.rules": 'prefix_rule(pattern = ["touch"])\n',
  });
  await using engine = await started(home);
  const trust = { [home.project]: { trust_level: "trusted" } };
  const tries: readonly ThreadStartParams[] = [
    {},
    { cwd: home.project, sandbox: "danger-full-access" },
    { cwd: home.project, sandbox: "workspace-write" },
    { config: { projects: trust } },
    { config: { [`projects.${JSON.stringify(home.project)}.trust_level`]: "trusted" } },
    { config: { project_root_markers: ["x"], projects: trust } },
  ];
  for (const params of [...tries, {}]) expect(await engine.start(params)).toMatchObject({ model: "user" });
});

verifies(
  "engine.config.rules",
  "a trusted project forbids commands, and the sandbox protects its rules",
  async () => {
    await using home = await makeHome({
      "project/.codex/rules/a.rules":
        'prefix_rule(pattern = ["touch"], decision = "forbidden", justification = "keep out")\n',
      "project/sub/.codex/rules/b.rules": "",
    });
    await mkdir(path.join(home.project, "sub/work"));
    for (const trusted of [false, true]) {
      const patch = `*** Begin Patch
*** Add File: ${home.project}/sub/.codex/rules/${trusted}.rules
+prefix_rule(pattern = ["touch"])
*** End Patch`;
      if (trusted) await home.write("home/config.toml", TRUST);
      const provider = modelOf(
        [
          call("c1", "exec_command", { cmd: "touch made" }),
          call("c2", "apply_patch", { input: patch }),
          completed,
        ],
        [...message("m1", "done"), completed],
      );
      const seen: string[] = [];
      const recording = {
        ...provider,
        async *stream(...args: Parameters<typeof provider.stream>) {
          for (const item of args[0].input) {
            if (item["type"] === "function_call_output") seen.push(String(item["output"]));
          }
          yield* provider.stream(...args);
        },
      };
      await using engine = await started(home, { provider: recording, env: { HOME: home.home } });
      const { thread } = await engine.codex.request("thread/start", {
        cwd: path.join(home.project, "sub/work"),
        runtimeWorkspaceRoots: [home.project],
        approvalPolicy: "never",
        sandbox: "workspace-write",
        // The temporary folder, in which the project is, must not be writable as such.
        config: {
          "sandbox_workspace_write.exclude_slash_tmp": true,
          "sandbox_workspace_write.exclude_tmpdir_env_var": true,
        },
      });
      await engine.codex.thread(thread.id).run("go");
      // The rules forbid the command only if the project is trusted. Otherwise, its folders are like any others.
      expect([trusted, seen[0]?.includes("keep out")]).toEqual([trusted, trusted]);
      expect([trusted, seen[1]?.includes("Success")]).toEqual([trusted, !trusted]);
    }
  },
);

verifies("engine.config.window", "the window is that of the model of the turn", async () => {
  await using home = await makeHome({ "home/config.toml": "model_auto_compact_token_limit = 50\n" });
  const provider = {
    ...modelOf(...Array.from({ length: 10 }, (_, n) => [...message(`m${n}`, "done"), completed])),
    contextWindow: (model: string) => (model === "big" ? { tokens: 1000, largest: 4000 } : undefined),
  };
  await using engine = await started(home, { provider });
  const windows: unknown[] = [];
  engine.codex.onNotification("thread/tokenUsage/updated", ({ tokenUsage }) =>
    windows.push(tokenUsage.modelContextWindow),
  );
  const thread = await engine.codex.startThread();
  await thread.run("one");
  await engine.codex.request("thread/settings/update", { threadId: thread.id, model: "big" });
  await thread.run("two");
  for (const window of [500, 2000, 1_000_000]) {
    const { thread: other } = await engine.codex.request("thread/start", {
      model: "big",
      config: { model_context_window: window },
    });
    await engine.codex.thread(other.id).run("go");
  }
  expect([...new Set(windows)]).toEqual([258_400, 950, 475, 1900, 3800]);
});
