export { aiSdkProvider } from "./ai-sdk-provider.ts";
export type { ModelCapabilities } from "./capabilities.ts";
export { packagedProvider } from "./from-package.ts";
export { KIND_NAMES, type KindName } from "./kinds/index.ts";
export type { AiSdkCall, AiSdkModel, AiSdkSettings, SupportedUrls } from "./language-model.ts";
export type { AiSdkProviderOptions } from "./options.ts";
