export { skillFolders, type SkillFoldersOptions } from "./skills.ts";
export { readInstructions, type InstructionPlace } from "./agents-md.ts";
