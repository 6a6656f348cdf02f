export { responses, type ResponsesOptions } from "./responses/index.ts";
