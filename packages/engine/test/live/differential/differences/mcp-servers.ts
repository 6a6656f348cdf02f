import type { EngineDifference } from "../difference.ts";

/** The known differences of MCP servers. */
export const MCP_SERVERS: readonly EngineDifference[] = [
  {
    area: "MCP servers",
    codex:
      "The item of a call has a text instead of a sound, and a result with an unknown kind of content is an error.",
    engine: "The item has the result as the server sent it, and the model receives what it can read.",
    reason: "A client may play a sound, and newer servers have newer kinds of content.",
    scenarios: ["mcp.shapes"],
    text: /audio|content\.2\.|odd-result|small\/odd|call_4_0|output\.2/,
  },
  {
    area: "MCP servers",
    codex: "The error of a call, and that of a server that a thread needs, has several lines with causes.",
    engine: "It names the tool or the server, and what happened, in one line.",
    reason: "The texts are for models and users.",
    scenarios: ["mcp.dies", "mcp.slow", "mcp.required"],
    path: /error\.message$/,
  },
  {
    area: "MCP servers",
    codex: "A result that is too large is cut, with a note of Codex in the middle.",
    engine: "It is cut at the same size, with a note of the engine.",
    reason: "The words are our own.",
    scenarios: ["mcp.large"],
    path: /content\.0\.text$/,
  },
  {
    area: "MCP servers",
    codex: "If the user always allows a tool, this is written to the configuration.",
    engine: "It holds while the thread is loaded.",
    reason: "The engine does not yet store this answer.",
    scenarios: ["mcp.always"],
    gap: true,
  },
];
