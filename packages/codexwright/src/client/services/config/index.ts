export { Config } from "./config.ts";
export { listSkills, type SkillsOptions } from "./skills.ts";
