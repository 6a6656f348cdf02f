import type { Handlers } from "codexwright/endpoint";
import type { SkillMetadata } from "codexwright/protocol";
import type { Skill } from "../ports.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** `skills/list`. The folders are read again for each request. */
export function skillMethods(host: ThreadsHost): Handlers {
  return {
    "skills/list": async ({ cwds }) => ({
      data: await Promise.all(
        (cwds?.length ? cwds : [host.defaults.cwd]).map(async (cwd) => {
          const { skills, errors } = await host.skills.find(cwd);
          return { cwd, skills: skills.map((skill) => wireSkill(skill)), errors: [...errors] };
        }),
      ),
    }),
  };
}

function wireSkill({ root: _, ...skill }: Skill): SkillMetadata {
  return { ...skill, pluginId: null };
}
