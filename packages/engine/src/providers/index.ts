export { responses, type ResponsesOptions } from "./responses/index.ts";
export { modelsFor } from "./catalogue/index.ts";
export { Cleaner } from "./secrets/index.ts";
