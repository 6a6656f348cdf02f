export { readInstructions, type InstructionPlace } from "./agents-md.ts";
