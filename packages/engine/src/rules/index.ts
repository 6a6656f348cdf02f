export { RulesError } from "./errors.ts";
export { ruleFiles, type RuleFilesOptions } from "./rule-files.ts";
