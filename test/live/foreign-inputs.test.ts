import { describe, expect } from "vitest";
import { reply } from "@codexwright/testing";
import { turnOf } from "../foreign/ai-sdk.ts";
import { acpTurn } from "../foreign/codex-acp.ts";
import { CALLS_ECHO, firstOutput, MCP_SERVER, PIXEL, promptParts } from "../foreign/inputs.ts";
import { sameOn } from "../foreign/same.ts";
import { engineProgram, realProgram } from "../foreign/servers.ts";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const PINNED: VerifiesOptions = { against: "pinned", timeoutMs: 180_000 };
const SERVERS = [realProgram, engineProgram];
const IMAGE = `data:image/png;base64,${PIXEL}`;
const CLI = "ai-sdk-provider-codex-cli";
const APP_SERVER = "ai-sdk-provider-codex-app-server";

describe("foreign clients with an image", () => {
  verifies(
    "engine.ways.foreign",
    "codex-acp: the model receives the image of an editor",
    async () => {
      const attached = [{ type: "image", mimeType: "image/png", data: PIXEL }];
      const told = await sameOn(SERVERS, [reply("seen")], async (program) => ({
        turn: await acpTurn(program, "workspace-write", { attached }),
        parts: promptParts(program.requests),
      }));
      expect(told).toMatchObject({ turn: { text: "seen", stopReason: "end_turn" } });
      expect(told.parts).toContain(IMAGE);
    },
    PINNED,
  );

  for (const [name, data] of [
    [CLI, { type: "data", data: PIXEL }],
    [APP_SERVER, PIXEL],
  ] as const) {
    verifies(
      "engine.ways.foreign",
      `${name}: the model receives the image of a program`,
      async () => {
        const attached = [{ type: "file", mediaType: "image/png", data }];
        const told = await sameOn(SERVERS, [reply("seen")], async (program) => ({
          turn: await turnOf(name, program, {}, { attached }),
          parts: promptParts(program.requests),
        }));
        expect(told.turn.text).toBe("seen");
        expect(told.parts).toContain(IMAGE);
      },
      PINNED,
    );
  }
});

describe("foreign clients with an MCP server", () => {
  verifies(
    "engine.ways.foreign",
    "codex-acp: the editor's MCP server is started, and its tool runs when the editor allows it",
    async () => {
      const mcpServers = [{ name: "small", ...MCP_SERVER, env: [] }];
      const told = await sameOn(SERVERS, CALLS_ECHO, async (program) => ({
        turn: await acpTurn(program, "workspace-write", { mcpServers }),
        output: firstOutput(program.requests),
      }));
      expect(told.turn).toMatchObject({ text: "all done", stopReason: "end_turn" });
      expect(told.turn.asked).toHaveLength(1);
      expect(told.output).toContain("echo: hi");
    },
    PINNED,
  );

  // Codex offers the tools of a server that is not required only when it has started.
  const configOverrides = { "mcp_servers.small.required": true };
  const mcpServers = { small: { transport: "stdio", ...MCP_SERVER } };
  verifies(
    "engine.ways.foreign",
    `${CLI}: a handler allows the tool of an MCP server`,
    async () => {
      const asked: string[] = [];
      const serverRequests = {
        onMcpElicitation: async ({ params }: { params: { serverName: string } }) => {
          asked.push(params.serverName);
          return { action: "accept", content: {} };
        },
      };
      const settings = {
        mcpServers,
        configOverrides,
        serverRequests,
        approvalPolicy: "on-request",
        sandboxPolicy: "workspace-write",
      };
      const told = await sameOn(SERVERS, CALLS_ECHO, async (program) => ({
        turn: await turnOf(CLI, program, settings),
        output: firstOutput(program.requests),
      }));
      expect(asked).toEqual(["small", "small"]);
      expect(told.turn.text).toBe("all done");
      expect(told.output).toContain("echo: hi");
    },
    PINNED,
  );

  verifies(
    "engine.ways.foreign",
    `${APP_SERVER}: the tool of an MCP server runs without a question if nothing is restricted`,
    async () => {
      // The package does not answer questions.
      const open = { approvalMode: "never", sandboxMode: "danger-full-access" };
      const settings = { mcpServers, configOverrides, ...open };
      const told = await sameOn(SERVERS, CALLS_ECHO, async (program) => ({
        turn: await turnOf(APP_SERVER, program, settings),
        output: firstOutput(program.requests),
      }));
      expect(told.turn.text).toBe("all done");
      expect(told.output).toContain("echo: hi");
    },
    PINNED,
  );
});
