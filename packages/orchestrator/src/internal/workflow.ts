export * from "../workflow/read.ts";
export * from "../workflow/template.ts";
