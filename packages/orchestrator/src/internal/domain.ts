export * from "../domain/errors.ts";
export * from "../domain/issue.ts";
export * from "../domain/tokens.ts";
