import { appendFile } from "node:fs/promises";
import path from "node:path";
import {
  mcpCall,
  reply,
  toolCall,
  type ModelItem,
  type Scenario,
  type ScenarioSetup,
} from "@codexwright/testing";
import type { CodexClient, Thread } from "codexwright/client";
import { ask, differential, heard, run, steps } from "./case.ts";

const SERVER = path.join(import.meta.dirname, "../../mcp/server.mjs");
const DONE = reply("done");

/** A server of the configuration. A busy machine starts a program slowly. */
function server(args: readonly string[], more: object = {}): object {
  return { command: process.execPath, args: [SERVER, ...args], startup_timeout_sec: 120, ...more };
}

interface Case {
  readonly servers?: Readonly<Record<string, object>>;
  readonly thread?: object;
  readonly calls: readonly (ModelItem | readonly ModelItem[])[];
  readonly texts?: readonly string[];
}

/** Starts a thread with servers of its own, and runs turns on it. */
function calling(
  { servers = { small: server(["ok"]) }, thread = {}, calls, texts = ["go"] }: Case,
  options: Parameters<typeof steps>[2] = {},
  after: (codex: CodexClient, thread: Thread) => Promise<void> = () => Promise.resolve(),
): ReturnType<typeof steps> {
  const setup: ScenarioSetup = {
    model: [...calls, DONE, DONE],
    approvalPolicy: "on-request",
    sandbox: "read-only",
  };
  return steps(
    setup,
    async (codex) => {
      const started = await codex.startThread({ config: { mcp_servers: servers as never }, ...thread });
      for (const text of texts) await run(started, text);
      await after(codex, started);
    },
    options,
  );
}

const call = (name: string, args: object = {}): ModelItem => mcpCall("small", name, args);
const FREE = { default_tools_approval_mode: "approve" };

/** Adds a server to the user's configuration. */
async function configure(codex: CodexClient, more: string = ""): Promise<void> {
  const [command, args] = [process.execPath, [SERVER, "ok"]].map((value) => JSON.stringify(value));
  await appendFile(
    `${codex.server.codexHome}/config.toml`,
    `\n[mcp_servers.late]\ncommand = ${command}\nargs = ${args}\nstartup_timeout_sec = 120\n${more}\n`,
  );
  await ask(codex, "config/mcpServer/reload", undefined);
}

const configured = (text: string): ModelItem => mcpCall("late", "echo", { text });

/** MCP servers as processes. */
export const MCP: readonly Scenario[] = [
  differential("mcp.shapes", "results of all kinds", () =>
    calling({
      servers: { small: server(["ok"], FREE) },
      calls: [
        call("echo", { text: "hi" }),
        call("shapes"),
        call("fails"),
        call("missing"),
        call("structured"),
        call("odd_result"),
      ],
    }),
  ),
  differential("mcp.large", "a result that is too large for an item", () =>
    calling({ servers: { small: server(["large", "3000000"], FREE) }, calls: [call("echo")] }),
  ),
  differential("mcp.two", "two calls of one response", () =>
    calling({
      servers: { small: server(["ok"], FREE) },
      calls: [[call("echo", { text: "a" }), call("echo", { text: "b" })]],
    }),
  ),
  differential("mcp.never", "tools and questions under the policy never", () =>
    calling({
      thread: { approvalPolicy: "never" },
      calls: [call("echo", { text: "hi" }), call("ask"), call("reads")],
    }),
  ),
  differential("mcp.never-full", "tools and questions without any restriction", () =>
    calling({
      thread: { approvalPolicy: "never", sandbox: "danger-full-access" },
      calls: [call("echo", { text: "hi" }), call("ask"), call("confirm")],
    }),
  ),
  differential("mcp.modes", "approval modes of tools and servers", () =>
    calling(
      {
        servers: {
          small: server(["ok"], {
            default_tools_approval_mode: "prompt",
            tools: {
              echo: { approval_mode: "approve" },
              reads: { approval_mode: "writes" },
              destroys: { approval_mode: "auto" },
            },
          }),
        },
        calls: [
          call("echo", { text: "hi" }),
          call("reads"),
          call("closed"),
          call("destroys"),
          call("closed"),
        ],
      },
      { onApproval: () => "acceptForSession" },
    ),
  ),
  differential("mcp.annotations", "approvals by the hints of tools", () =>
    calling(
      { calls: [call("reads"), call("closed"), call("destroys"), call("destroys"), call("harmless")] },
      { onApproval: () => "acceptForSession" },
    ),
  ),
  differential("mcp.cancel", "a call that the user cancels", () =>
    calling(
      { calls: [call("echo", { text: "hi", b: 1, a: [true] })], texts: ["one", "two"] },
      { onApproval: () => "cancel" },
    ),
  ),
  differential("mcp.granular", "a policy that refuses questions of servers", () =>
    calling({
      thread: {
        approvalPolicy: {
          granular: {
            sandbox_approval: true,
            rules: true,
            skill_approval: true,
            request_permissions: true,
            mcp_elicitations: false,
          },
        },
      },
      calls: [call("ask"), call("echo", { text: "hi" })],
    }),
  ),
  differential("mcp.filter", "tools that are enabled and disabled", () =>
    calling({
      servers: {
        small: server(["ok"], { ...FREE, enabled_tools: ["echo", "ask"], disabled_tools: ["ask"] }),
        off: server(["ok"], { enabled: false }),
      },
      calls: [call("shapes"), call("ask"), mcpCall("off", "echo", {})],
    }),
  ),
  differential("mcp.fails", "servers that do not start", () =>
    calling({
      servers: {
        small: server(["exits", "3"]),
        missing: { ...server([]), command: "/no/such/program" },
        good: server(["ok"], FREE),
      },
      calls: [call("echo"), mcpCall("good", "echo", { text: "hi" })],
    }),
  ),
  differential("mcp.dies", "a server that ends during a call", () =>
    calling({ servers: { small: server(["dies", "3"], FREE) }, calls: [call("echo"), call("echo")] }),
  ),
  differential("mcp.slow", "a call that takes too long", () =>
    calling({
      servers: { small: server(["ok"], { ...FREE, tool_timeout_sec: 0.5 }) },
      calls: [call("slow")],
    }),
  ),
  differential("mcp.resources", "resources that the model lists and reads", () =>
    calling({
      calls: [
        toolCall("list_mcp_resources", {}),
        toolCall("list_mcp_resources", { server: "small" }),
        toolCall("list_mcp_resource_templates", {}),
        toolCall("read_mcp_resource", { server: "small", uri: "note://1" }),
        toolCall("read_mcp_resource", { server: "other", uri: "note://1" }),
        toolCall("list_mcp_resources", { cursor: "1" }),
        toolCall("read_mcp_resource", { server: "", uri: "note://1" }),
      ],
    }),
  ),
  differential("mcp.direct", "requests of a client to servers", () =>
    calling({ calls: [], texts: [] }, {}, async (codex, { id: threadId }) => {
      const name = "small";
      await ask(codex, "mcpServer/tool/call", {
        threadId,
        server: name,
        tool: "echo",
        arguments: { text: "hi" },
      });
      await ask(codex, "mcpServer/tool/call", { threadId, server: name, tool: "fails" });
      await ask(codex, "mcpServer/tool/call", { threadId, server: name, tool: "shapes" });
      await ask(codex, "mcpServer/resource/read", { threadId, server: name, uri: "note://1" });
      await ask(codex, "mcpServerStatus/list", { threadId });
      await ask(codex, "mcpServerStatus/list", { threadId, detail: "toolsAndAuthOnly" });
      await ask(codex, "mcpServerStatus/list", { threadId, cursor: "x" });
      await ask(codex, "mcpServerStatus/list", { threadId, cursor: "9" });
    }),
  ),
  differential("mcp.direct-errors", "requests about servers and tools that do not exist", () =>
    calling({ calls: [], texts: [] }, {}, async (codex, { id: threadId }) => {
      const name = "small";
      await ask(codex, "mcpServer/tool/call", { threadId, server: name, tool: "missing" });
      await ask(codex, "mcpServer/tool/call", { threadId, server: "none", tool: "echo" });
      await ask(codex, "mcpServer/resource/read", { threadId, server: "none", uri: "note://1" });
      await ask(codex, "mcpServer/resource/read", { threadId, server: name, uri: "bad://1" });
      await ask(codex, "mcpServer/oauth/login", { name: "none" });
      await ask(codex, "mcpServer/oauth/login", { name, threadId });
    }),
  ),
  differential("mcp.reload", "servers that change while a thread is loaded", () =>
    steps(
      {
        model: [configured("a"), DONE, configured("b"), DONE, DONE],
      },
      async (codex) => {
        const thread = await codex.startThread();
        await run(thread, "one");
        await configure(codex, 'default_tools_approval_mode = "approve"');
        await run(thread, "two");
        await ask(codex, "mcpServerStatus/list", {});
      },
    ),
  ),
  differential("mcp.always", "a tool that the user always allows, and another thread", () =>
    steps(
      {
        model: [configured("a"), DONE, configured("b"), DONE],
        approvalPolicy: "on-request",
        sandbox: "read-only",
      },
      async (codex) => {
        await configure(codex);
        for (const text of ["one", "two"]) await run(await codex.startThread(), text);
      },
      { onApproval: ({ kind }) => (kind === "mcpTool" ? "acceptAlways" : "decline") },
    ),
  ),
  differential("mcp.interrupt", "an interrupt during a call", () =>
    steps({ model: [mcpCall("small", "slow", {}), DONE, DONE] }, async (codex) => {
      const thread = await codex.startThread({
        config: { mcp_servers: { small: server(["ok"], FREE) } as never },
      });
      const begun = heard(codex, "item/started", ({ item }) => item.type === "mcpToolCall");
      const running = run(thread, "go");
      const { turnId } = await begun;
      await ask(codex, "turn/interrupt", { threadId: thread.id, turnId });
      await running;
      await run(thread, "again");
    }),
  ),
  differential("mcp.required", "a server that a thread needs and that does not start", () =>
    steps({ model: [DONE] }, async (codex) => {
      await ask(codex, "thread/start", {
        config: { mcp_servers: { small: server(["exits", "3"], { required: true }) } },
      });
      await ask(codex, "thread/start", {
        config: { mcp_servers: { small: server(["ok"], { required: true }) } },
      });
    }),
  ),
  differential("mcp.config", "settings of servers that are wrong", () =>
    steps({ model: [DONE] }, async (codex) => {
      for (const wrong of [
        {},
        { command: 1 },
        { command: "a", url: "http://b" },
        { url: "http://b", args: [] },
        { url: "http://b", bearer_token: "secret" },
        { command: "a", startup_timeout_sec: -1 },
        { command: "a", default_tools_approval_mode: "maybe" },
        { command: "a", env_vars: [{ name: "A", source: "elsewhere" }] },
      ]) {
        await ask(codex, "thread/start", { config: { mcp_servers: { wrong } } });
      }
    }),
  ),
];
