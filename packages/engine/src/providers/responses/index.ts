export type { ResponsesOptions } from "./options.ts";
export { responses } from "./responses.ts";
