import { applyPatch, exec, reply, toolCall, usage } from "@codexwright/testing";
import type { StoryMaker } from "./story.ts";

/** The stories of the examples of the agent layer. */
export const AGENT_STORIES: Readonly<Record<string, StoryMaker>> = {
  "code-reviewer": () => ({
    script: [
      toolCall("open_sections", { section_keys: ["rules"], reason: "to know the owners" }),
      toolCall("owner_of", { path: "code/src/main.ts" }),
      reply('{"items":[{"file":"code/src/main.ts","line":0.5,"problem":"races"}]}'),
      reply('{"items":[{"file":"code/src/main.ts","line":2,"problem":"two writers race (web)"}]}'),
    ],
    workspace: { "src/main.ts": "let n = 0;\nn++;\n", ".env": "SECRET=1", "notes.md": "x" },
  }),

  "ticket-triage": () => ({
    script: (request) => {
      if (request.lastUserText.includes("T-9")) return reply("There is no T-9.");
      const calls = Object.keys(request.toolOutputs).length;
      switch (calls) {
        case 0:
          return toolCall("assign_ticket", { id: "T-1", team: "web" });
        case 1:
          return toolCall("look_up_ticket", { id: "T-1" });
        case 2:
        case 3:
        case 4:
          return toolCall("assign_ticket", { id: ["T-1", "T-3", "T-2"][calls - 2], team: "web" });
        case 5:
          return toolCall("assign_ticket", { id: "T-2", team: "billing" });
        default:
          return reply("All tickets are assigned.");
      }
    },
  }),

  unattended: () => ({
    script: [exec("rm -r build", { justification: "build is old" }), reply("Almost."), reply("All clean.")],
  }),

  "docs-writer": () => ({
    script: [
      reply("Done."),
      toolCall("add_term", { term: "run", meaning: "short" }),
      toolCall("add_term", { term: "run", meaning: "one execution of a prompt" }),
      applyPatch("*** Add File: project/docs/overview.md\n+# Overview"),
      reply("Done again."),
      reply("I wrote overview.md."),
      [reply("Cannot."), usage({ inputTokens: 40, outputTokens: 2 })],
    ],
    workspace: { "main.ts": "export {};\n", "image.png": "x" },
  }),
};
