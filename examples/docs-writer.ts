/** An agent that writes a page of documentation. It must continue until the page exists. */
import { tmpdir } from "node:os";
import path from "node:path";
import { CodexClient } from "codexwright";
import { AgentError, CodexAgent, definePrompt, Files, filesExist, section, tool } from "codexwright/agent";
import type { CompletionCheck } from "codexwright/agent";
import { overlayFs, Workspace } from "codexwright/workspace";
import { z } from "zod";

// #region workspace
await using workspace = await Workspace.create({
  mounts: [
    {
      from: process.cwd(),
      to: "project",
      include: ["**/*.ts", "**/*.md"],
      exclude: ["**/node_modules"],
      maxBytes: 2_000_000,
    },
  ],
  allowedRoots: [process.cwd()],
});
for (const { to, files, bytes } of workspace.mounts)
  console.log(`${to}: ${files.join(", ")} (${bytes} bytes)`);
// #endregion workspace

// #region completion
const hasTitle: CompletionCheck = async ({ exists, text }) => {
  if (!(await exists("project/docs/overview.md"))) return "Write project/docs/overview.md.";
  return text.includes("overview.md") ? undefined : "Say which file you wrote.";
};
// #endregion completion

// #region resources
const glossary = tool({
  name: "add_term",
  description: "Adds a term to the glossary.",
  input: z.object({ term: z.string(), meaning: z.string() }),
  async run({ term, meaning }, { resources, fail }) {
    const files = await resources.get(Files);
    const page = "project/docs/glossary.md";
    const old = (await files.exists(page)) ? await files.readText(page) : "# Glossary\n";
    await files.write(page, `${old}\n- **${term}**: ${meaning}\n`);
    if (meaning.length < 10) fail("say a little more"); // the change to the file is rolled back
    return "added";
  },
});
// #endregion resources

// #region prompt
const write = definePrompt({
  id: "examples/docs",
  sections: [
    section({
      key: "task",
      title: "Task",
      body: "Write an overview of the project into project/docs/overview.md.",
      tools: [glossary],
    }),
    workspace.section(),
  ],
  completion: hasTitle,
});
// #endregion prompt

// #region run
await using agent = await CodexAgent.open({ connect: () => CodexClient.connect() });
const run = agent.run(write, { workspace, deadlineMs: 600_000 });
for await (const event of run) {
  if (event.type === "prompt.continued") console.log(`told: ${event.feedback}`);
  if (event.type === "tool.invoked") console.log(event.name, event.ok ? "ok" : event.error?.message);
}
console.log((await run.result).text);
// #endregion run

// #region diff
const patch = await run.diff();
console.log(patch.match(/^\+\+\+ .*/gm)?.join("\n"));
console.log("taken back:", (await run.revert()).join(", "));
// #endregion diff

// #region bundle
const folder = path.join(tmpdir(), `run-${run.id}`);
const names = await run.bundle(overlayFs(folder), { env: process.env });
console.log(names.join(" "));
// #endregion bundle

// #region errors
const strict = definePrompt({
  id: "examples/strict",
  sections: [section({ key: "task", title: "Task", body: "Write project/missing.md." })],
  completion: filesExist("project/missing.md"),
});
try {
  await agent.run(strict, { workspace, budget: { totalTokens: 30 } }).result;
} catch (error) {
  if (!(error instanceof AgentError)) throw error;
  console.log(error.phase, error.code, error.message);
}
// #endregion errors
