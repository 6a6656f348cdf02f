import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { CodexClient } from "codexwright";
import { expect } from "vitest";
import { engine } from "@codexwright/engine/node";
import { realAppServer, type RealAppServer } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

/** Settings of `config.toml` that decide how a thread begins. Both servers must read each of them alike. */
const CASES: readonly string[] = [
  "",
  ...["untrusted", "on-failure", "on-request", "never", "wild"].map((word) => `approval_policy = "${word}"`),
  "approval_policy = 1",
  "[approval_policy.granular]\nsandbox_approval = true\nrules = false\nmcp_elicitations = true",
  "[approval_policy.granular]\nsandbox_approval = true\nrules = true\nmcp_elicitations = true\nskill_approval = true\nrequest_permissions = true",
  "[approval_policy.granular]\nsandbox_approval = true",
  '[approval_policy.granular]\nsandbox_approval = "yes"\nrules = true\nmcp_elicitations = true',
  ...["user", "auto_review", "guardian_subagent", "wild"].map((word) => `approvals_reviewer = "${word}"`),
  ...["read-only", "workspace-write", "danger-full-access", "wild"].map((word) => `sandbox_mode = "${word}"`),
  "sandbox_mode = true",
  ...[
    "network_access = true",
    'network_access = "yes"',
    "exclude_slash_tmp = true",
    "exclude_tmpdir_env_var = true",
    'exclude_slash_tmp = "yes"',
    'writable_roots = ["/var/one", "/var/two"]',
    'writable_roots = ["relative", "../beside"]',
    'writable_roots = ["/var/one", "/var/one"]',
    'writable_roots = "/var/one"',
    "unknown_key = 1",
  ].flatMap((line) => [
    `sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\n${line}`,
    `[sandbox_workspace_write]\n${line}`,
  ]),
  ...[":read-only", ":workspace", ":danger-full-access", ":wild", "own"].map(
    (name) => `default_permissions = "${name}"`,
  ),
  'default_permissions = ":workspace"\n[sandbox_workspace_write]\nwritable_roots = ["/var/one"]',
  ...["low", "wild", ""].map((word) => `model_reasoning_effort = "${word}"`),
  "model_reasoning_effort = 1",
  ...["auto", "concise", "detailed", "none", "wild"].map((word) => `model_reasoning_summary = "${word}"`),
  'model_context_window = "large"',
  "model_context_window = -1",
  "model_context_window = 1000",
  'model_auto_compact_token_limit = "small"',
  "model_auto_compact_token_limit = 0",
  'developer_instructions = "Rhyme."',
  "developer_instructions = 1",
  'profile = "own"',
  '[profiles.own]\nmodel = "of-profile"',
  'profile = "own"\n[profiles.own]\nmodel = "of-profile"',
  "no_such_key = 1",
  "[no_such_table]\na = 1",
  "[features]\nno_such_feature = true",
  '[projects."/no/such/folder"]\ntrust_level = "trusted"',
  "model = ",
];

/** Configurations that the engine reads in another way, on purpose. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'approval_policy = "untrusted"': "Codex no longer has this policy in files. It is the most careful one.",
  "model_context_window = -1": "A window without room makes no sense.",
  "model_auto_compact_token_limit = 0": "A thread would be compacted before each turn.",
};

/** Starts a thread on both servers with each configuration in turn. */
verifies(
  "engine.config.keys",
  "each key of `config.toml` has the effect that it has in Codex",
  async () => {
    await using world = await realAppServer({ model: { baseUrl: "http://127.0.0.1:9/v1" } });
    const file = path.join(world.codexHome, "config.toml");
    // The world has settings of its own for the sandbox, which would hide the defaults.
    const base = (await readFile(file, "utf8")).replace(/\[sandbox_workspace_write\]\n(?:.+\n)*/, "");
    await writeFile(file, base);
    await mkdir(path.join(world.workspace, "sub"));
    await using codex = await CodexClient.connect(world.clientOptions);
    await using own = await CodexClient.connect({
      transport: engine({ home: world.codexHome, cwd: world.workspace }),
    });
    const differences: unknown[] = [];
    for (const settings of CASES) {
      const [head = "", ...tables] = settings.split(/^(?=\[)/m);
      await writeFile(
        file,
        [
          settings.startsWith("[") ? "" : head,
          base,
          ...(settings.startsWith("[") ? [settings] : tables),
        ].join("\n"),
      );
      const [theirs, ours] = [await startOf(codex, world), await startOf(own, world)];
      try {
        expect(ours).toEqual(theirs);
      } catch {
        differences.push(settings in OTHERWISE ? settings : { settings, theirs, ours });
      }
    }
    expect(differences).toEqual(Object.keys(OTHERWISE));
  },
  { against: "pinned", timeoutMs: 120_000 },
);

/** How a thread begins, without what every thread has of its own. */
async function startOf(codex: CodexClient, { workspace }: RealAppServer): Promise<unknown> {
  try {
    const cwd = path.join(workspace, "sub");
    const { thread, ...started } = await codex.request("thread/start", { cwd, ephemeral: true });
    return { ...started, environments: thread.environments };
  } catch (error) {
    const { rpcCode, message } = error as { rpcCode?: number; message: string };
    return { error: rpcCode, loads: message.startsWith("failed to load configuration") };
  }
}
