export { filesExist, type CompletionCheck, type CompletionOptions } from "./completion.ts";
export { PromptRenderError } from "./errors.ts";
export { md } from "./md.ts";
export { definePrompt, type Prompt, type RenderedPrompt } from "./prompt.ts";
export { section, type Section } from "./section.ts";
