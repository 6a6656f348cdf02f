export { Config, type ConfigBatchOptions, type ConfigChange, type ConfigWriteOptions } from "./config.ts";
export { listSkills, type SkillsOptions } from "./skills.ts";
