import { exported, NO_KEY, setOrRemove, type Kind } from "./kind.ts";
import type { AiSdkModel } from "../language-model.ts";

type Create = (options: {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}) => (model: string) => AiSdkModel;

const PACKAGE = "@ai-sdk/google";

/** Models that do not reason, and models that take a budget instead of a level. */
const PLAIN = /gemini-(?:1|2\.0)|gemma/;
const BUDGETED = /gemini-2\.5/;

const BUDGETS: Readonly<Record<string, number>> = { minimal: 512, low: 2_048, medium: 8_192 };
const LARGEST_BUDGET = 24_576;

const LEVELS: ReadonlySet<string> = new Set(["minimal", "low", "medium", "high"]);

/** The Gemini API of Google. */
export const google: Kind = {
  package: PACKAGE,
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  reasoning: "summary",
  toolImages: true,
  allUrls: false,
  known: (model) => ({
    contextWindow: model.includes("gemini-") ? 1_048_576 : 128_000,
    ...(PLAIN.test(model) && { reasoning: false }),
  }),
  open(loaded, { baseUrl, fetch }) {
    const create = exported(loaded, "createGoogleGenerativeAI", PACKAGE) as Create;
    return create({ baseURL: baseUrl, apiKey: NO_KEY, fetch });
  },
  authorize: (headers, key) => setOrRemove(headers, "x-goog-api-key", key),
  settings: ({ model, effort }, { reasoning = true }) =>
    reasoning ? { google: { thinkingConfig: thinking(model, effort) } } : {},
};

function thinking(model: string, effort: string | null | undefined): object {
  const shown = { includeThoughts: true };
  if (!effort || effort === "none") return shown;
  if (BUDGETED.test(model)) return { ...shown, thinkingBudget: BUDGETS[effort] ?? LARGEST_BUDGET };
  return { ...shown, thinkingLevel: LEVELS.has(effort) ? effort : "high" };
}
