import type { ModelProvider } from "../../core/ports.ts";
import { Cleaner } from "../secrets/index.ts";
import type { AiSdkModel } from "./language-model.ts";
import { checkAiSdkOptions, checkModel, type AiSdkProviderOptions } from "./options.ts";
import { AiSdkProvider } from "./provider.ts";

/**
 * Answers model requests with a model of the AI SDK, or with the model that a function returns for a name. The model
 * sends its requests itself: its package decides on addresses, keys and limits.
 */
export function aiSdkProvider(
  model: AiSdkModel | ((name: string) => AiSdkModel),
  options: AiSdkProviderOptions = {},
): ModelProvider {
  checkAiSdkOptions(options);
  const find = typeof model === "function" && !("doStream" in model) ? model : undefined;
  if (!find) checkModel(model as AiSdkModel);
  const { id = "ai-sdk", models = [], capabilities, reasoning = "summary", settings } = options;
  return new AiSdkProvider({
    id,
    model: (name) => (find ? checkModel(find(name)) : (model as AiSdkModel)),
    models,
    capabilities: (name) => capabilities?.(name) ?? {},
    reasoning,
    toolImages: false,
    allUrls: false,
    settings: (request) => settings?.(request) ?? {},
    cleaner: () => new Cleaner([]),
  });
}
