export { filesExist, type CompletionCheck, type CompletionContext } from "./completion.ts";
export { PromptRenderError } from "./errors.ts";
export type { ExpansionRequest } from "./expansion.ts";
export { md } from "./md.ts";
export {
  definePrompt,
  type NoInput,
  type OutlineEntry,
  type Prompt,
  type PromptOptions,
  type RenderedPrompt,
  type RenderOptions,
} from "./prompt.ts";
export { section, type Section, type SectionOf, type SectionOptions, type Selector } from "./section.ts";
