import { exported, NO_KEY, setOrRemove, type Kind } from "./kind.ts";
import type { AiSdkModel } from "../language-model.ts";

type Create = (options: {
  readonly name: string;
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly includeUsage: boolean;
  readonly supportsStructuredOutputs: boolean;
}) => { chatModel(model: string): AiSdkModel };

/** The name of our settings in a request. The package sends those that it does not know as they are. */
const NAME = "openaiCompatible";

const PACKAGE = "@ai-sdk/openai-compatible";

/** Chat completions: Ollama, vLLM, LM Studio, OpenRouter and most others. */
export const chat: Kind = {
  package: PACKAGE,
  reasoning: "text",
  toolImages: false,
  allUrls: true,
  known: () => ({ contextWindow: 128_000 }),
  open(loaded, { baseUrl, fetch }) {
    const create = exported(loaded, "createOpenAICompatible", PACKAGE) as Create;
    const provider = create({
      name: NAME,
      baseURL: baseUrl,
      apiKey: NO_KEY,
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
    return (model) => provider.chatModel(model);
  },
  authorize: (headers, key) =>
    setOrRemove(headers, "authorization", key === undefined ? undefined : `Bearer ${key}`),
  settings: ({ effort, outputSchema, parallel }, { reasoning = true, parallelTools = true }) => ({
    [NAME]: {
      ...(reasoning && effort && { reasoningEffort: effort }),
      ...(outputSchema && { strictJsonSchema: outputSchema.strict }),
      ...((!parallelTools || parallel === false) && { parallel_tool_calls: false }),
    },
  }),
};
