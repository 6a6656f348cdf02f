/** An agent that reviews a copy of the files in the current folder and returns typed findings. */
import { CodexClient } from "codexwright";
import { CodexAgent, definePrompt, md, section, tool } from "codexwright/agent";
import { Workspace } from "codexwright/workspace";
import { z } from "zod";

// #region workspace
await using workspace = await Workspace.create({
  mounts: [{ from: process.cwd(), to: "code", exclude: ["**/node_modules", "**/.git", "**/.env*"] }],
  allowedRoots: [process.cwd()],
  maxBytes: 5_000_000,
});
// #endregion workspace

// #region sections
const task = section({
  key: "task",
  title: "Task",
  body: (input: { focus: string }) => md`
    Review the files in the folder code. Look for ${input.focus}.
    Change nothing: report what you find.
  `,
});

const owner = tool({
  name: "owner_of",
  description: "Tells which team owns a file.",
  input: z.object({ path: z.string() }),
  effects: "readonly",
  run: ({ path }) => (path.endsWith(".ts") ? "web" : "platform"),
});

const rules = section({
  key: "rules",
  title: "House rules",
  summary: "Rules about errors and owners.",
  visibility: "summary",
  body: "Errors are thrown, never returned. Name the owner of each file you report.",
  tools: [owner],
});
// #endregion sections

// #region prompt
const review = definePrompt({
  id: "examples/review",
  input: z.object({ focus: z.string().default("bugs") }),
  output: z.array(z.object({ file: z.string(), line: z.number().int(), problem: z.string() })),
  sections: [task, rules, workspace.section()],
});
// #endregion prompt

// #region render
const { text, outline } = review.render({});
console.log(text.split("\n")[0]);
console.log(outline.map(({ path, visibility }) => `${path}: ${visibility}`).join(", "));
// #endregion render

// #region run
await using agent = await CodexAgent.open({
  connect: () => CodexClient.connect(),
  sandbox: "read-only",
});
await using run = agent.run(review, {
  input: { focus: "races" },
  workspace,
  deadlineMs: 300_000,
  budget: { totalTokens: 500_000 },
  repair: 1,
});
// #endregion run

// #region events
for await (const event of run) {
  switch (event.type) {
    case "tool.invoked":
      console.log(`${event.origin} ${event.name}: ${event.ok ? "ok" : event.error?.message}`);
      break;
    case "prompt.expanded":
      console.log(`opened ${event.request.sections.join(", ")}: ${event.request.reason}`);
      break;
    case "prompt.continued":
      console.log(`told to go on: ${event.reason}`);
      break;
  }
}
// #endregion events

// #region result
const { output, usage, turns } = await run.result;
for (const { file, line, problem } of output) console.log(`${file}:${line} ${problem}`);
console.log(`${usage.totalTokens} tokens in ${turns.length} turns`);
// #endregion result
