import { exported, NO_KEY, setOrRemove, type Kind } from "./kind.ts";
import type { AiSdkModel, PromptMessage } from "../language-model.ts";

type Create = (options: {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}) => (model: string) => AiSdkModel;

const PACKAGE = "@ai-sdk/anthropic";

/** Models that take a budget for reasoning instead of an effort. */
const BUDGETED = /claude-(?:3|(?:opus|sonnet|haiku)-4-(?:[015](?!\d)|\d{8}))/;

const BUDGETS: Readonly<Record<string, number>> = { low: 4_096, medium: 12_288, high: 24_576 };
const LARGEST_BUDGET = 32_768;

const EFFORTS: ReadonlySet<string> = new Set(["low", "medium", "high", "xhigh", "max"]);

/** The Messages API of Anthropic. */
export const anthropic: Kind = {
  package: PACKAGE,
  baseUrl: "https://api.anthropic.com/v1",
  reasoning: "summary",
  toolImages: true,
  allUrls: true,
  // The package knows the most tokens of a response for the models of Anthropic, and assumes few for all others.
  known: (model) => ({
    contextWindow: 200_000,
    ...(!model.includes("claude-") && { maxOutputTokens: 16_384 }),
  }),
  open(loaded, { baseUrl, fetch }) {
    const create = exported(loaded, "createAnthropic", PACKAGE) as Create;
    return create({ baseURL: baseUrl, apiKey: NO_KEY, fetch });
  },
  authorize: (headers, key) => setOrRemove(headers, "x-api-key", key),
  settings: ({ model, effort, parallel }, { reasoning = true, parallelTools = true }) => ({
    anthropic: {
      ...(reasoning && effort && reasoningOf(model, effort)),
      ...((!parallelTools || parallel === false) && { disableParallelToolUse: true }),
    },
  }),
  mark: cached,
};

function reasoningOf(model: string, effort: string): object {
  if (effort === "none" || effort === "minimal") return {};
  if (BUDGETED.test(model)) {
    return { thinking: { type: "enabled", budgetTokens: BUDGETS[effort] ?? LARGEST_BUDGET } };
  }
  return {
    thinking: { type: "adaptive", display: "summarized" },
    effort: EFFORTS.has(effort) ? effort : "max",
  };
}

const CACHED = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };

/** Lets the provider cache the instructions, and the conversation so far. It caches only what is marked. */
function cached(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const last = messages.length - 1;
  return messages.map((message, at) =>
    at === last || message.role === "system" ? { ...message, ...CACHED } : message,
  );
}
