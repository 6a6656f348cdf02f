export * from "../workflow/preflight.ts";
export * from "../workflow/read.ts";
export * from "../workflow/template.ts";
export * from "../workflow/watch.ts";
