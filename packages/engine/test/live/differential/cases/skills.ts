import { reply, type ModelScript, type Scenario } from "@codexwright/testing";
import type { CodexClient } from "codexwright/client";
import { ask, differential, heard, run, steps } from "./case.ts";

const ECHO: ModelScript = ({ index }) => reply(`answer ${index}`);

/** Writes a skill of the workspace. */
async function write(codex: CodexClient, folder: string, text: string): Promise<void> {
  await codex.fs.createDirectory(folder, { recursive: true });
  await codex.fs.writeFile(`${folder}/SKILL.md`, text);
}

function skill(name: string, description: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

/** Skills of a project, and how a user names them. */
export const SKILLS: readonly Scenario[] = [
  differential("skills.named", "skills that the user names in a text", () =>
    steps({ model: ECHO }, async (codex, { workspace }) => {
      await codex.fs.createDirectory(`${workspace}/.git`);
      const folder = `${workspace}/.agents/skills`;
      await write(codex, `${folder}/deploy`, skill("deploy", "Deploys", "Push it."));
      await write(codex, `${folder}/more/check`, skill("check", "Checks: all of it", "Look at it."));
      await write(codex, `${folder}/twin-a`, skill("twin", "One", "a"));
      await write(codex, `${folder}/twin-b`, skill("twin", "Two", "b"));
      const thread = await codex.startThread();
      for (const text of [
        "nothing",
        "use $deploy, and $check. $HOME",
        "use $twin",
        `use [$twin](${folder}/twin-b/SKILL.md)`,
        "use $missing and deploy",
      ]) {
        await run(thread, text);
      }
    }),
  ),
  differential("skills.item", "skills that the user attaches", () =>
    steps({ model: ECHO }, async (codex, { workspace }) => {
      const path = `${workspace}/.agents/skills/deploy`;
      await write(codex, path, skill("deploy", "Deploys", "Push it."));
      const { id: threadId } = await codex.startThread();
      const item = { type: "skill", name: "deploy", path: `${path}/SKILL.md` };
      for (const input of [
        [{ type: "text", text: "do it with $deploy" }, item],
        [item],
        [
          { type: "text", text: "gone" },
          { ...item, path: `${path}/missing/SKILL.md` },
        ],
      ]) {
        const done = heard(codex, "turn/completed");
        await ask(codex, "turn/start", { threadId, input });
        await done;
      }
    }),
  ),
  differential("skills.list", "a list of skills, with files that cannot be used", () =>
    steps({ model: ECHO }, async (codex, { workspace }) => {
      await codex.fs.createDirectory(`${workspace}/.git`);
      const folder = `${workspace}/.agents/skills`;
      await write(codex, `${folder}/deploy`, skill("deploy", "Deploys", "Push it."));
      await write(codex, `${folder}/unnamed`, "---\ndescription: Without a name\n---\nx\n");
      await write(
        codex,
        `${folder}/short`,
        "---\ndescription: d\nmetadata:\n  short-description: s\n---\nx\n",
      );
      await write(codex, `${folder}/.hidden`, skill("hidden", "Hidden", "x"));
      await write(codex, `${folder}/a/b/c/d/e`, skill("deep", "Deep", "x"));
      await write(codex, `${folder}/a/b/c/d/e/f/g`, skill("deeper", "Deeper", "x"));
      await write(codex, `${folder}/bare`, "no front matter\n");
      await write(codex, `${folder}/silent`, "---\nname: silent\n---\nx\n");
      await write(codex, `${folder}/long`, skill("x".repeat(65), "Long", "x"));
      await write(codex, `${workspace}/.codex/skills/other`, skill("other", "Other", "x"));
      await ask(codex, "skills/list", { cwds: [workspace], forceReload: true });
      await ask(codex, "skills/list", {});
    }),
  ),
  differential("skills.below", "the skills of a folder below the root of its project", () =>
    steps({ model: ECHO }, async (codex, { workspace }) => {
      await codex.fs.createDirectory(`${workspace}/.git`);
      await write(codex, `${workspace}/.agents/skills/a`, skill("a", "A", "x"));
      await write(codex, `${workspace}/sub/.agents/skills/b`, skill("b", "B", "x"));
      await ask(codex, "skills/list", { cwds: [`${workspace}/sub`] });
    }),
  ),
  differential("skills.above", "skills in the configuration folder of the root of a project", () =>
    steps({ model: ECHO }, async (codex, { workspace }) => {
      await codex.fs.createDirectory(`${workspace}/.git`);
      await codex.fs.createDirectory(`${workspace}/sub`);
      await write(codex, `${workspace}/.codex/skills/a`, skill("a", "A", "x"));
      await ask(codex, "skills/list", { cwds: [`${workspace}/sub`] });
    }),
  ),
];
