import { applyPatch, exec, reply, toolCall, usage } from "@codexwright/testing";
import type { StoryMaker } from "./story.ts";

const COST = usage({ inputTokens: 400, outputTokens: 100 });

const WORKFLOW = `---
tracker:
  kind: folder
workspace:
  root: .fleet/workspaces
---
Work on {{ issue.identifier }}: {{ issue.title }}
`;

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

  fleet: () => ({
    script: [
      toolCall("request_user_input", {
        questions: [
          {
            id: "language",
            header: "Language",
            question: "Which language?",
            options: [
              { label: "English", description: "Hello" },
              { label: "German", description: "Hallo" },
            ],
          },
        ],
      }),
      [exec("echo 'echo \"Hello, $1\"' > greet.sh && sh greet.sh Ann"), COST],
      [toolCall("issue_update", { state: "done", comment: "greet.sh says hello." }), COST],
      [reply("The script is written and checked."), COST],
    ],
    workspace: {
      "WORKFLOW.md": WORKFLOW,
      "issues/GREET-1.md": "---\ntitle: Write a greeting\nstate: todo\n---\nWrite a script that greets.\n",
    },
    // Codex offers its tool for questions in the default mode only with this feature.
    config: "[features]\ndefault_mode_request_user_input = true\n",
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
