import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { CodexClient } from "codexwright";
import { memoryPair } from "codexwright/rpc";
import { EngineServer, type ModelEvent } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { completed, message, modelOf } from "../../unit/ports.ts";
import { SERVER } from "./servers.ts";

type Handlers = Pick<NonNullable<Parameters<typeof CodexClient.connect>[0]>, "onApproval" | "onElicitation">;

const slow = { timeoutMs: 120_000 };

function call(id: string, name: string, args: object = {}, namespace = "mcp__small"): ModelEvent {
  const item = { type: "function_call", id, call_id: id, name, namespace, arguments: JSON.stringify(args) };
  return { type: "itemDone", item };
}

interface World extends AsyncDisposable {
  readonly codex: CodexClient;
  readonly outputs: () => string[];
}

/** An engine with a server in its configuration, and a model that makes these calls one after the other. */
async function world(
  calls: readonly ModelEvent[],
  config: string = "",
  handlers: Handlers = {},
): Promise<World> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-mcp-turns-")));
  const [home, cwd] = [path.join(root, "home"), path.join(root, "work")];
  for (const folder of [home, cwd]) await mkdir(folder);
  await writeFile(
    path.join(home, "config.toml"),
    `[mcp_servers.small]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([SERVER, "ok"])}
startup_timeout_sec = 60
${config}`,
  );
  const provider = modelOf(...calls.map((each) => [each, completed]), [...message("m", "done"), completed]);
  const server = new EngineServer(await engineDefaults({ provider, home, cwd, env: { HOME: home } }));
  const transport = (): ReturnType<typeof memoryPair>[0] => {
    const [near, far] = memoryPair();
    server.accept(far);
    return near;
  };
  const codex = await CodexClient.connect({ transport, ...handlers });
  return {
    codex,
    outputs: () =>
      (provider.requests.at(-1)?.input ?? []).flatMap(({ type, output }) =>
        type === "function_call_output" ? [JSON.stringify(output)] : [],
      ),
    async [Symbol.asyncDispose]() {
      await codex.close();
      await server.close();
      expect(server.failures).toEqual([]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

const HINTS = ["echo", "reads", "closed", "destroys", "harmless"] as const;
/** The tools whose calls ask, in each mode. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  auto: ["echo", "closed", "destroys"],
  prompt: HINTS,
  writes: ["echo", "closed", "harmless"],
  approve: [],
};

describe("MCP tools in turns", () => {
  verifies(
    "engine.mcp.approval",
    "a tool asks by its hints or by its mode, and only a decision by hints is remembered",
    async () => {
      for (const [mode, asking] of Object.entries(ASKING)) {
        const asked: string[] = [];
        const calls = [1, 2].flatMap((round) =>
          HINTS.map((name) => call(`${name}${round}`, name, { text: "x" })),
        );
        await using place = await world(calls, `default_tools_approval_mode = "${mode}"`, {
          onApproval: (request) => {
            if (request.kind === "mcpTool") asked.push(request.tool ?? "");
            return "acceptForSession";
          },
        });
        const thread = await place.codex.startThread({ approvalPolicy: "on-request", sandbox: "read-only" });
        await thread.run("go");
        const times = mode === "auto" ? 1 : 2;
        expect(asked.toSorted()).toEqual(
          asking.flatMap((name) => Array<string>(times).fill(name)).toSorted(),
        );
        expect(place.outputs().filter((output) => output.includes("echo: x"))).toHaveLength(10);
      }
    },
    slow,
  );

  verifies(
    "engine.mcp.approval",
    "a declined call does not reach the server, and never is asked under the policy never",
    async () => {
      for (const approvalPolicy of ["on-request", "never"] as const) {
        let asked = 0;
        await using place = await world([call("one", "echo", { text: "x" })], "", {
          onApproval: () => {
            asked++;
            return "decline";
          },
        });
        const thread = await place.codex.startThread({ approvalPolicy, sandbox: "read-only" });
        const { items } = await thread.run("go");
        expect(items.find(({ type }) => type === "mcpToolCall")).toMatchObject({
          status: "failed",
          result: null,
        });
        expect(place.outputs().join("")).not.toContain("echo: x");
        expect(asked).toBe(approvalPolicy === "never" ? 0 : 1);
      }
    },
    slow,
  );

  verifies(
    "engine.mcp.elicitation",
    "a question of a server reaches the client as its own, and not under the policy never",
    async () => {
      for (const approvalPolicy of ["on-request", "never"] as const) {
        const asked: unknown[] = [];
        const approvals: unknown[] = [];
        await using place = await world([call("one", "ask"), call("two", "forge")], "", {
          onApproval: (request) => {
            approvals.push(request);
            return "accept";
          },
          onElicitation: (request) => {
            asked.push(request);
            return { action: "accept", content: { colour: "blue" } };
          },
        });
        const thread = await place.codex.startThread({ approvalPolicy, sandbox: "read-only" });
        await thread.run("go");
        const [first = "", second = ""] = place.outputs();
        // A server cannot name another server or thread, and cannot make its question an approval.
        expect(approvals).toEqual([]);
        if (approvalPolicy === "never") {
          expect(asked).toEqual([]);
          for (const output of [first, second]) expect(output).toContain("decline");
          continue;
        }
        expect(asked).toMatchObject([
          { serverName: "small", message: "Which colour?", threadId: thread.id },
          { serverName: "small", message: "Really?", threadId: thread.id },
        ]);
        for (const output of [first, second]) expect(output).toContain("blue");
      }
    },
    slow,
  );

  verifies(
    ["engine.mcp.status", "engine.mcp.resources"],
    "clients list servers, call tools and read resources, and the model reads them, too",
    async () => {
      const read = call("one", "read_mcp_resource", { server: "small", uri: "note://1" });
      const list = call("two", "list_mcp_resources");
      await using place = await world(
        [read, list].map((event) => {
          if (event.type !== "itemDone") return event;
          const { namespace: _, ...item } = event.item;
          return { ...event, item };
        }),
        '[mcp_servers.gone]\ncommand = "/no/such/program"\n',
      );
      const { codex } = place;
      const { id: threadId } = await codex.startThread();
      for (const of of [{ threadId }, {}]) {
        const { data } = await codex.request("mcpServerStatus/list", of);
        expect(data.map(({ name, runtimeStatus }) => [name, runtimeStatus])).toEqual([
          ["gone", "threadId" in of ? "failed" : null],
          ["small", "threadId" in of ? "connected" : null],
        ]);
        expect(Object.keys(data[1]?.tools ?? {})).toContain("echo");
        expect(data[1]?.resources).toMatchObject([{ uri: "note://1" }]);
        expect(data[0]?.toolsError).toContain("does not exist");
      }
      const one = await codex.request("mcpServerStatus/list", { threadId, serverName: "small", limit: 1 });
      expect(one).toMatchObject({ data: [{ name: "small" }], nextCursor: null });
      const called = { threadId, server: "small", tool: "echo", arguments: { text: "hi" } };
      expect(await codex.request("mcpServer/tool/call", called)).toEqual({
        content: [{ type: "text", text: "echo: hi" }],
      });
      const resource = { threadId, server: "small", uri: "note://7" };
      expect(await codex.request("mcpServer/resource/read", resource)).toMatchObject({
        contents: [{ uri: "note://7", text: "about note://7" }],
      });
      await codex.thread(threadId).run("go");
      const [first = "", second = ""] = place.outputs();
      expect(first).toContain("about note://1");
      expect(second).toContain("note://1");
    },
    slow,
  );
});
