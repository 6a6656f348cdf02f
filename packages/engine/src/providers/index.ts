export { responses, type ResponsesOptions } from "./responses/index.ts";
export {
  aiSdkProvider,
  KIND_NAMES,
  packagedProvider,
  type AiSdkCall,
  type AiSdkModel,
  type AiSdkProviderOptions,
  type AiSdkSettings,
  type KindName,
  type ModelCapabilities,
  type SupportedUrls,
} from "./ai-sdk/index.ts";
export { modelsFor } from "./catalogue/index.ts";
export { Cleaner } from "./secrets/index.ts";
