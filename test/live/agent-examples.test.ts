import { expect } from "vitest";
import { applyPatch, reply, toolCall, usage, type ModelRequest } from "@codexwright/testing";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

const PINNED = { against: "pinned" } as const;

verifies(
  ["docs.examples", "agent.R116"],
  "code reviewer: opens a section, calls a tool, corrects an answer and returns typed findings",
  async () => {
    const { stdout, requests } = await play(
      "code-reviewer",
      [
        toolCall("open_sections", { section_keys: ["rules"], reason: "to know the owners" }),
        toolCall("owner_of", { path: "code/src/main.ts" }),
        reply('{"items":[{"file":"code/src/main.ts","line":0.5,"problem":"races"}]}'),
        reply('{"items":[{"file":"code/src/main.ts","line":2,"problem":"two writers race (web)"}]}'),
      ],
      { workspace: { "src/main.ts": "let n = 0;\nn++;\n", ".env": "SECRET=1", "notes.md": "x" } },
    );
    expect(stdout.trimEnd().split("\n")).toEqual([...shown("prompts"), ...shown("agents")]);
    expect(requests[0]?.lastUserText).toContain("  - src/main.ts");
    expect(requests[0]?.lastUserText).not.toContain(".env");
  },
  PINNED,
);

verifies(
  ["docs.examples", "agent.R116"],
  "ticket triage: rolls back a failing tool, denies a call by policy, and continues a stored session with its thread",
  async () => {
    const calls = (request: ModelRequest): number => Object.keys(request.toolOutputs).length;
    const { stdout } = await play("ticket-triage", (request) => {
      if (request.lastUserText.includes("T-9")) return reply("There is no T-9.");
      switch (calls(request)) {
        case 0:
          return toolCall("assign_ticket", { id: "T-1", team: "web" });
        case 1:
          return toolCall("look_up_ticket", { id: "T-1" });
        case 2:
        case 3:
        case 4:
          return toolCall("assign_ticket", { id: ["T-1", "T-3", "T-2"][calls(request) - 2], team: "web" });
        case 5:
          return toolCall("assign_ticket", { id: "T-2", team: "billing" });
        default:
          return reply("All tickets are assigned.");
      }
    });
    expect(stdout.trimEnd().split("\n")).toEqual(shown("sessions"));
  },
  PINNED,
);

verifies(
  ["docs.examples", "agent.R116", "agent.bundle"],
  "documentation writer: continues until the page exists, then shows a diff, undoes changes and bundles the result",
  async () => {
    const { stdout } = await play(
      "docs-writer",
      [
        reply("Done."),
        toolCall("add_term", { term: "run", meaning: "short" }),
        toolCall("add_term", { term: "run", meaning: "one execution of a prompt" }),
        applyPatch("*** Add File: project/docs/overview.md\n+# Overview"),
        reply("Done again."),
        reply("I wrote overview.md."),
        [reply("Cannot."), usage({ inputTokens: 40, outputTokens: 2 })],
      ],
      { workspace: { "main.ts": "export {};\n", "image.png": "x" } },
    );
    expect(stdout.trimEnd().split("\n")).toEqual(shown("workspaces"));
  },
  PINNED,
);
