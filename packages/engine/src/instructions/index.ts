export { skillFolders, type SkillFoldersOptions } from "./skills.ts";
export { readInstructions } from "./agents-md.ts";
