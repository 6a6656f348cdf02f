import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import {
  createSession,
  definePrompt,
  event,
  Files,
  provide,
  requires,
  section,
  slice,
  tool,
  VisibilitySlice,
  type AgentToolContext,
} from "codexwright/agent";
import { applyPatch, exec, reply, toolCall } from "@codexwright/testing";
import { overlayFs, Workspace } from "codexwright/workspace";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { PINNED } from "@codexwright/test-support/world";

const Add = event("steps/add", z.object({ step: z.string() }));
const Steps = slice("steps", {
  schema: z.array(z.string()),
  initial: [],
  on: (on) => [on(Add, (steps, { step }) => [...steps, step])],
});

verifies(
  ["agent.R68", "agent.tools.parallel", "agent.R37"],
  "if the second of three concurrent calls fails after 200 ms, the changes of the first and third are kept",
  async () => {
    let overlapping = 0;
    const add = tool({
      name: "add_step",
      description: "Adds a step.",
      input: z.object({ step: z.string() }),
      async run({ step }, ctx: AgentToolContext) {
        expect(++overlapping).toBe(1);
        ctx.session.dispatch(Add({ step }));
        if (step === "two") {
          await new Promise((resolve) => setTimeout(resolve, 200));
          overlapping--;
          ctx.fail("no second step");
        }
        overlapping--;
        return step;
      },
    });
    const prompt = definePrompt({
      id: "steps",
      sections: [section({ key: "a", title: "A", body: "Go.", tools: [add] })],
    });
    const calls = ["one", "two", "three"].map((step) => toolCall("add_step", { step }, { callId: step }));
    await using live = await agentWorld([calls, reply("done")]);
    const session = createSession({ slices: [Steps] });
    const run = live.agent.run(prompt, { session });
    await run.result;
    // The server may forward parallel calls in any order.
    expect(session.get(Steps).toSorted()).toEqual(["one", "three"]);
    expect(live.model.requests[1]?.toolOutputs).toMatchObject({
      one: "one",
      two: "no second step",
      three: "three",
    });
    const told = eventsOf(run, "tool.invoked").map(({ callId, ok }) => `${callId} ${ok}`);
    expect(told.toSorted()).toEqual(["one true", "three true", "two false"]);
    expect(session.journal.filter(({ runId }) => runId !== undefined).length).toBeGreaterThan(3);
  },
  PINNED,
);

verifies(
  "agent.tools.parallel",
  "readonly calls overlap on the real server",
  async () => {
    const both = deferred();
    let running = 0;
    const look = tool({
      name: "look",
      description: "Looks.",
      effects: "readonly",
      input: z.object({ at: z.string() }),
      async run({ at }) {
        if (++running === 2) both.resolve();
        await both.promise;
        return at;
      },
    });
    const prompt = definePrompt({
      id: "looks",
      sections: [section({ key: "a", title: "A", body: "Go.", tools: [look] })],
    });
    await using live = await agentWorld([
      [toolCall("look", { at: "x" }, { callId: "x" }), toolCall("look", { at: "y" }, { callId: "y" })],
      reply("done"),
    ]);
    await live.agent.run(prompt).result;
    expect(live.model.requests[1]?.toolOutputs).toMatchObject({ x: "x", y: "y" });
  },
  PINNED,
);

verifies(
  ["agent.R73", "agent.run.expansion", "agent.disclosure.open"],
  "renders a section in full on a new thread after the model opens it, without a model call in between",
  async () => {
    const secret = tool({
      name: "unlock",
      description: "Unlocks.",
      input: z.object({}),
      run: () => "unlocked",
    });
    const check = tool({ name: "check", description: "Checks.", input: z.object({}), run: () => "checked" });
    const prompt = definePrompt({
      id: "folded",
      policies: [requires("unlock", ["check"])],
      sections: [
        section({ key: "task", title: "Task", body: "Go.", tools: [check] }),
        section({
          key: "vault",
          title: "Vault",
          body: "All of it.",
          summary: "A vault.",
          visibility: "summary",
          tools: [secret],
        }),
      ],
    });
    await using live = await agentWorld([
      toolCall("check", {}),
      toolCall("open_sections", { section_keys: ["vault"], reason: "curious" }, { callId: "open" }),
      toolCall("unlock", {}, { callId: "unlock" }),
      reply("done"),
      toolCall("open_sections", { section_keys: ["vault"], reason: "curious" }),
    ]);
    const session = createSession({ slices: [] });
    const run = live.agent.run(prompt, { session });
    const { text, turns } = await run.result;
    expect(text).toBe("done");
    expect(turns).toHaveLength(2);
    expect(live.model.requests).toHaveLength(4);
    expect(live.sent("thread/start")).toHaveLength(2);
    expect(live.model.requests[3]?.toolOutputs["unlock"]).toBe("unlocked");
    expect(live.model.requests[2]?.lastUserText).toContain("All of it.");
    expect(session.get(VisibilitySlice)).toEqual({ folded: { vault: "full" } });
    const types = run.events.map(({ type }) => type);
    expect(types.filter((type) => type === "prompt.rendered")).toHaveLength(2);
    expect(eventsOf(run, "prompt.expanded")).toMatchObject([
      { request: { sections: ["vault"], reason: "curious" } },
    ]);

    const thrown = live.agent.run(prompt, { expansion: "throw" });
    expect(await rejection(thrown.result)).toMatchObject({
      code: "expansion_required",
      request: { sections: ["vault"] },
    });
    expect(live.model.unexpected).toEqual([]);
  },
  PINNED,
);

verifies(
  ["agent.R33", "agent.R34", "agent.R35", "agent.R15", "agent.R20", "agent.R71", "agent.R72", "agent.R89"],
  "reports commands, file changes and MCP calls with their success, even with the approval policy `never`",
  async () => {
    const echo = tool({
      name: "echo",
      description: "Ours.",
      input: z.object({ text: z.string() }),
      run: ({ text }) => `ours: ${text}`,
    });
    const prompt = definePrompt({
      id: "native",
      sections: [section({ key: "a", title: "A", body: "Go.", tools: [echo] })],
    });
    const command = process.execPath;
    const args = [path.join(import.meta.dirname, "mcp-server.mjs")];
    await using live = await agentWorld(
      [
        exec("echo out; exit 3"),
        applyPatch("*** Add File: new.txt\n+text"),
        applyPatch("*** Update File: missing.txt\n@@\n-a\n+b"),
        toolCall("echo", { text: "theirs" }, { namespace: "mcp__files" }),
        toolCall("echo", { text: "mine" }, { callId: "mine" }),
        reply("done"),
      ],
      { agent: { mcpServers: { files: { command, args } } } },
    );
    const run = live.agent.run(prompt);
    await run.result;
    const told = eventsOf(run, "tool.invoked").map(({ origin, name, ok, error, params }) => ({
      origin,
      name,
      ok,
      error: error?.kind,
      params,
    }));
    expect(told[0]).toMatchObject({
      origin: "command",
      name: "codex:command",
      ok: false,
      error: "failure",
      params: { cwd: live.server.workspace, command: expect.stringContaining("exit 3") as string },
    });
    expect(told.find(({ origin, ok }) => origin === "fileChange" && ok)).toMatchObject({
      name: "codex:file_change",
      params: { changes: [{ path: expect.stringContaining("new.txt") as string, kind: "add" }] },
    });
    expect(told.find(({ origin }) => origin === "mcp")).toMatchObject({
      name: "codex:mcp:echo",
      ok: true,
      params: { server: "files", tool: "echo", arguments: { text: "theirs" } },
    });
    expect(told.at(-1)).toMatchObject({ origin: "app", name: "echo", ok: true });
    expect(live.model.requests.at(-1)?.toolOutputs["mine"]).toBe("ours: mine");
    expect(eventsOf(run, "approval")).toEqual([]);
    expect(eventsOf(run, "tool.started").map(({ origin }) => origin)).toContain("mcp");
    const [start] = live.sent("thread/start");
    expect(start?.["config"]).toEqual({
      "mcp_servers.files": { command, args, default_tools_approval_mode: "approve" },
    });
  },
  PINNED,
);

verifies(
  ["agent.run.workspace", "agent.R68", "agent.R114", "agent.resources.overlay-fs"],
  "a failing tool does not touch files that git ignores; the run returns its diff and can be reverted",
  async () => {
    await using live = await agentWorld([
      exec("echo codex > by-codex.txt"),
      toolCall("rewrite", { fail: true }, { callId: "bad" }),
      toolCall("rewrite", { fail: false }, { callId: "good" }),
      exec("touch ../outside.txt || echo refused"),
      reply("done"),
    ]);
    const source = path.join(live.server.root, "source");
    mkdirSync(source);
    writeFileSync(path.join(source, ".gitignore"), ".env\n");
    writeFileSync(path.join(source, ".env"), "LOCAL=1\n");
    writeFileSync(path.join(source, "a.txt"), "one\n");
    await using workspace = await Workspace.create({
      mounts: [{ from: source, to: "." }],
      allowedRoots: [source],
      parent: live.server.workspace,
    });
    const rewrite = tool({
      name: "rewrite",
      description: "Rewrites.",
      input: z.object({ fail: z.boolean() }),
      async run({ fail }, ctx: AgentToolContext) {
        const files = await ctx.resources.get(Files);
        await files.write("a.txt", fail ? "half" : "two\n");
        if (fail) ctx.fail("not like that");
        return "ok";
      },
    });
    const prompt = definePrompt({
      id: "rewrite",
      sections: [workspace.section(), section({ key: "a", title: "A", body: "Go.", tools: [rewrite] })],
      resources: [provide(Files, () => overlayFs(workspace.dir))],
    });
    const run = live.agent.run(prompt, { workspace });
    await run.result;
    const read = (name: string): string => readFileSync(path.join(workspace.dir, name), "utf8");
    expect([read(".env"), read("a.txt"), read("by-codex.txt")]).toEqual(["LOCAL=1\n", "two\n", "codex\n"]);
    expect(existsSync(path.join(workspace.dir, "../outside.txt"))).toBe(false);
    const diff = await run.diff();
    expect(diff).toContain("-one\n+two\n");
    expect(diff).toContain("+codex");
    expect(diff).not.toContain(".env");
    expect(live.sent("thread/start")[0]).toMatchObject({ cwd: workspace.dir, sandbox: "workspace-write" });
    expect((await run.revert()).toSorted()).toEqual(["a.txt", "by-codex.txt"]);
    expect([read(".env"), read("a.txt")]).toEqual(["LOCAL=1\n", "one\n"]);
    expect(await run.diff()).toBe(diff);
    expect(readFileSync(path.join(source, "a.txt"), "utf8")).toBe("one\n");
  },
  PINNED,
);

verifies(
  ["agent.nested.part", "agent.nested.session"],
  "a tool can wait for a run of the same agent, on the tool's session or as part of the tool's call, and can fail afterwards",
  async () => {
    for (const part of [true, false]) {
      const session = createSession({ slices: [Steps] });
      const add = tool({
        name: "add_step",
        description: "Adds a step.",
        input: z.object({}),
        run: (_, ctx: AgentToolContext) => {
          ctx.session.dispatch(Add({ step: "inner" }));
          return ctx.session.get(Steps).join();
        },
      });
      const inner = definePrompt({
        id: "inner",
        sections: [section({ key: "a", title: "A", body: "Go.", tools: [add] })],
      });
      const ask = tool({
        name: "ask",
        description: "Asks.",
        input: z.object({}),
        async run(_, ctx: AgentToolContext) {
          ctx.session.dispatch(Add({ step: "outer" }));
          const run = live.agent.run(inner, { session: part ? ctx.session : session, signal: ctx.signal });
          ctx.fail((await run.result).text);
        },
      });
      const outer = definePrompt({
        id: "outer",
        sections: [section({ key: "a", title: "A", body: "Go.", tools: [ask] })],
      });
      await using live = await agentWorld([
        toolCall("ask", {}, { callId: "ask" }),
        toolCall("add_step", {}, { callId: "add" }),
        reply("inner done"),
        reply("outer done"),
      ]);
      await live.agent.run(outer, { session }).result;
      expect(live.model.requests[2]?.toolOutputs["add"]).toBe(part ? "outer,inner" : "inner");
      expect(live.model.requests[3]?.toolOutputs["ask"]).toBe("inner done");
      expect(session.get(Steps)).toEqual(part ? [] : ["inner"]);
    }
  },
  PINNED,
);
