export { responses, type ResponsesOptions } from "./responses/index.ts";
export { modelsFor } from "./catalogue/index.ts";
