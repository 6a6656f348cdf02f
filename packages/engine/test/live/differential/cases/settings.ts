import { appendFile } from "node:fs/promises";
import { exec, reply, type ModelScript, type Scenario, type World } from "@codexwright/testing";
import type { CodexClient } from "codexwright/client";
import { ask, differential, heard, run, steps } from "./case.ts";

const OK: ModelScript = () => reply("ok");

/** Makes a project with a configuration of its own, and returns its folder. The user says whether it is trusted. */
async function project(
  codex: CodexClient,
  { workspace }: World,
  name: string,
  config: string,
  trust?: "trusted" | "untrusted",
): Promise<string> {
  const folder = `${workspace}/${name}`;
  await codex.fs.createDirectory(`${folder}/.git`);
  await codex.fs.createDirectory(`${folder}/.codex/rules`);
  await codex.fs.writeFile(`${folder}/.codex/config.toml`, config);
  if (trust === undefined) return folder;
  // The configurations of the two servers differ, so the file is not written by a request.
  await appendFile(
    `${codex.server.codexHome}/config.toml`,
    `\n[projects.${JSON.stringify(folder)}]\ntrust_level = "${trust}"\n`,
  );
  return folder;
}

/** The id of the thread that a request opened, or "" if it was refused. */
function idOf({ thread }: { readonly thread?: unknown }): string {
  const id = (thread as { readonly id?: unknown } | undefined)?.id;
  return typeof id === "string" ? id : "";
}

const ofProject = (name: string): string => `model = "of-${name}"
model_reasoning_effort = "low"
model_context_window = 5000
developer_instructions = "Speak of ${name}."
[sandbox_workspace_write]
writable_roots = ["../shared"]
`;

/** Settings of threads: the configuration of their project, options of the client, and the context window. */
export const SETTINGS: readonly Scenario[] = [
  differential("project.layers", "a thread has the configuration of the trusted project it is in", () =>
    steps({ model: OK }, async (codex, world) => {
      for (const trust of ["trusted", "untrusted", undefined] as const) {
        const cwd = await project(codex, world, `p-${trust}`, ofProject(`p-${trust}`), trust);
        await ask(codex, "thread/start", { cwd });
        await ask(codex, "thread/start", { cwd, model: "of-params", approvalPolicy: "never" });
        const { thread } = await ask(codex, "thread/start", { cwd, config: { model: "of-client" } });
        await run(codex.thread(idOf({ thread })), "go");
      }
    }),
  ),
  differential(
    "project.fork",
    "a resumed thread keeps its settings, and a fork has those of the project",
    () => ({
      model: OK,
      run: async (world) => {
        const codex = await world.connect();
        const cwd = await project(codex, world, "p", ofProject("p"), "trusted");
        const { thread } = await ask(codex, "thread/start", { cwd, model: "mine", approvalPolicy: "never" });
        const threadId = idOf({ thread });
        await run(codex.thread(threadId), "go");
        await ask(codex, "thread/fork", { threadId, excludeTurns: true });
        await ask(codex, "thread/fork", { threadId, excludeTurns: true, config: { model: "of-client" } });
        await ask(codex, "thread/fork", { threadId, excludeTurns: true, modelProvider: "no-such-provider" });
      },
    }),
  ),
  differential("project.rules", "rules of a trusted project apply to the threads that begin in it", () =>
    steps(
      {
        model: ({ lastUserText, toolOutputs, index }) =>
          index % 2 === 0 ? exec(lastUserText) : reply(`${Object.keys(toolOutputs).length}`),
      },
      async (codex, world) => {
        const start = async (cwd: string): Promise<string> =>
          idOf(await ask(codex, "thread/start", { cwd, approvalPolicy: "never", sandbox: "read-only" }));
        const forbid = (folder: string, program: string): Promise<void> =>
          codex.fs.writeFile(
            `${folder}/.codex/rules/a.rules`,
            `prefix_rule(pattern = ["${program}"], decision = "forbidden", justification = "no ${program}")\n`,
          );
        const trusted = await project(codex, world, "trusted", "", "trusted");
        const other = await project(codex, world, "other", "");
        await forbid(trusted, "echo");
        await forbid(other, "echo");
        const inside = await start(trusted);
        await run(codex.thread(inside), "echo one");
        await run(codex.thread(inside), "printf two; sleep 0.4");
        await run(codex.thread(await start(other)), "echo three; sleep 0.4");
        await ask(codex, "thread/settings/update", { threadId: inside, cwd: other });
        await run(codex.thread(inside), "echo four");
      },
    ),
  ),
  differential("project.trust", "a client that starts a thread in a project does not make it trusted", () =>
    steps({ model: OK }, async (codex, world) => {
      const cwd = await project(codex, world, "p", ofProject("p"));
      await ask(codex, "thread/start", { cwd, sandbox: "workspace-write" });
    }),
  ),
  differential("start.config", "settings of the client for one thread", () =>
    steps({ model: OK }, async (codex, { workspace }) => {
      const start = (config: object, more: object = {}): Promise<unknown> =>
        ask(codex, "thread/start", { config, ...more });
      await start({ sandbox_mode: "workspace-write" });
      await start({ sandbox_mode: "workspace-write", "sandbox_workspace_write.network_access": true });
      await start({
        sandbox_mode: "workspace-write",
        sandbox_workspace_write: { writable_roots: ["rel", `${workspace}/abs`] },
      });
      await start({ sandbox_mode: "read-only" }, { sandbox: "workspace-write" });
      await start({ default_permissions: ":workspace" });
      await start({ approval_policy: "never", approvals_reviewer: "auto_review" });
      await start({
        approval_policy: { granular: { sandbox_approval: true, rules: true, mcp_elicitations: false } },
      });
      await start({ model: "a" }, { model: "b" });
      await start({ model: null });
      await start({}, { model: "" });
      await start({ model_reasoning_effort: "wild", model_reasoning_summary: "concise", nonsense: 1 });
      await start({ "no.such.key": { a: 1 } });
    }),
  ),
  differential("start.config-wrong", "settings of the client that cannot be used", () =>
    steps({ model: OK }, async (codex) => {
      for (const config of [
        { model: 5 },
        { approval_policy: "nonsense" },
        { sandbox_mode: "wild" },
        { model_reasoning_summary: "wild" },
        { model_reasoning_effort: 3 },
        { model_provider: "no-such-provider" },
        { profile: "x" },
      ]) {
        await ask(codex, "thread/start", { config });
      }
    }),
  ),
  differential("start.provider", "a thread of another provider than that of the server", () =>
    steps({ model: OK }, async (codex) => {
      for (const more of [{ modelProvider: "openai" }, { config: { model_provider: "openai" } }]) {
        const { thread } = await ask(codex, "thread/start", more);
        const threadId = thread?.["id"];
        await ask(codex, "turn/start", { threadId, input: [{ type: "text", text: "go" }] });
        await ask(codex, "thread/compact/start", { threadId });
        await ask(codex, "thread/settings/update", { threadId, model: "other-model" });
      }
    }),
  ),
  differential("start.roots", "threads with several workspace roots", () =>
    steps(
      {
        model: ({ index, toolOutputs }) =>
          index % 2 === 0
            ? exec("for d in a b c; do (echo x > $OLDPWD/$d/probe) && echo $d; done; sleep 0.4")
            : reply(`${Object.keys(toolOutputs).length}`),
      },
      async (codex, { workspace }) => {
        const at = (name: string): string => `${workspace}/${name}`;
        for (const name of ["a", "b", "c"]) await codex.fs.createDirectory(at(name));
        const start = (more: object): Promise<{ readonly thread?: { readonly id?: unknown } }> =>
          ask(codex, "thread/start", { approvalPolicy: "never", sandbox: "workspace-write", ...more });
        await start({ cwd: at("a"), runtimeWorkspaceRoots: [] });
        await start({ cwd: at("a"), runtimeWorkspaceRoots: [at("a"), at("b"), at("b"), at("x/../c")] });
        await start({ cwd: at("a"), runtimeWorkspaceRoots: ["relative"] });
        const { thread } = await start({ cwd: at("a"), runtimeWorkspaceRoots: [at("b")] });
        const threadId = idOf({ thread });
        await ask(codex, "thread/settings/update", { threadId, cwd: at("b") });
        await ask(codex, "thread/read", { threadId });
        await ask(codex, "thread/settings/update", { threadId, cwd: at("c") });
        await ask(codex, "thread/read", { threadId });
        const done = heard(codex, "turn/completed");
        await ask(codex, "turn/start", {
          threadId,
          input: [{ type: "text", text: "go" }],
          runtimeWorkspaceRoots: [at("a"), at("c")],
        });
        await done;
        await ask(codex, "thread/read", { threadId });
      },
    ),
  ),
  differential("settings.profiles", "permission profiles and folders that are wrong or combined", () =>
    steps({ model: OK }, async (codex, { workspace }) => {
      const { id: threadId } = await codex.startThread();
      const update = (more: object): Promise<unknown> =>
        ask(codex, "thread/settings/update", { threadId, ...more });
      await update({ permissions: ":workspace", sandboxPolicy: { type: "readOnly" } });
      await update({ permissions: "own" });
      await update({ permissions: "" });
      await update({ permissions: ":read-only" });
      await update({ cwd: `${workspace}/sub` });
      await update({ cwd: "" });
      await update({ cwd: "../up" });
      await update({ effort: "wild", personality: "pragmatic" });
      await update({
        collaborationMode: {
          mode: "plan",
          settings: { model: "planner", reasoning_effort: "low", developer_instructions: "plan" },
        },
      });
      await update({ model: "other-model" });
      await update({ sandboxPolicy: { type: "workspaceWrite", writableRoots: ["relative"] } });
      const input = [{ type: "text", text: "go" }];
      await ask(codex, "turn/start", { threadId, input, permissions: ":nonsense" });
      await ask(codex, "turn/start", {
        threadId,
        input,
        permissions: ":workspace",
        sandboxPolicy: { type: "readOnly" },
      });
    }),
  ),
  differential("window.models", "the context window is that of the model of the thread", () =>
    steps({ model: () => reply("ok", { usage: { inputTokens: 100, outputTokens: 1 } }) }, async (codex) => {
      for (const model of ["mock-model", "gpt-5.5", "gpt-6.1-terra", "gpt-6-sol-2026", "openai/gpt-6-sol"]) {
        for (const window of [undefined, 100_000, 900_000]) {
          const config = window === undefined ? {} : { model_context_window: window };
          const { thread } = await ask(codex, "thread/start", { model, config, ephemeral: true });
          await run(codex.thread(idOf({ thread })), "go");
        }
      }
    }),
  ),
];
