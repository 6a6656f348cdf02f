import type { Model } from "codexwright/protocol";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly effort: string;
  readonly efforts: readonly (keyof typeof EFFORTS)[];
  readonly contextWindow: number;
  readonly description: string;
}

const EFFORTS = {
  low: "Answers fast, with little reasoning",
  medium: "Reasons as much as most tasks need",
  high: "Reasons longer, for hard tasks",
  xhigh: "Reasons much longer, for very hard tasks",
  max: "Reasons as long as the model allows",
  ultra: "Reasons as long as possible, at a high cost",
};

const UP_TO_XHIGH = ["low", "medium", "high", "xhigh"] as const;
const UP_TO_MAX = [...UP_TO_XHIGH, "max"] as const;
const ALL = [...UP_TO_MAX, "ultra"] as const;

/** The models of OpenAI that the pinned Codex offers, with their whole context windows. */
const MODELS: readonly Entry[] = [
  entry("gpt-6.1-sol", "GPT-6.1-Sol", "low", ALL, 272_000, "A large model of the 6.1 series."),
  entry("gpt-6-astra", "GPT-6-Astra", "low", ALL, 272_000, "The largest model of the 6 series."),
  entry("gpt-6-sol", "GPT-6-Sol", "medium", ALL, 272_000, "A large model of the 6 series."),
  entry("gpt-6-luna", "GPT-6-Luna", "medium", UP_TO_MAX, 272_000, "A small model of the 6 series."),
  entry("gpt-5.6-sol", "GPT-5.6-Sol", "low", ALL, 272_000, "A large model of the 5.6 series."),
  entry("gpt-6.1-terra", "GPT-6.1 Terra", "low", ALL, 500_000, "A model with a large context window."),
  entry("gpt-5.6-terra", "GPT-5.6-Terra", "medium", ALL, 272_000, "A middle model of the 5.6 series."),
  entry("gpt-5.6-luna", "GPT-5.6-Luna", "medium", UP_TO_MAX, 272_000, "A small model of the 5.6 series."),
  entry("gpt-5.5", "GPT-5.5", "medium", UP_TO_XHIGH, 272_000, "A model of the 5.5 series."),
];

/** The model of a configuration that names none. */
export const DEFAULT_MODEL = "gpt-6.1-sol";

/** The part of a context window that a conversation may use. */
export function usableWindow(contextWindow: number): number {
  return Math.floor(contextWindow * 0.95);
}

export function catalogueModel(id: string): { readonly contextWindow: number } | undefined {
  return MODELS.find((each) => each.id === id);
}

/** The models for `model/list`: the configured one, and those of OpenAI, which Codex lists for every provider. */
export function modelsFor(configured: string): Model[] {
  const own = entry(
    configured,
    configured,
    "medium",
    ["low", "medium", "high"],
    272_000,
    "The configured model.",
  );
  const all = MODELS.some(({ id }) => id === configured) ? MODELS : [own, ...MODELS];
  return all.map((each) => wireModel(each, each.id === configured));
}

function entry(
  id: string,
  name: string,
  effort: string,
  efforts: Entry["efforts"],
  contextWindow: number,
  description: string,
): Entry {
  return { id, name, effort, efforts, contextWindow, description };
}

function wireModel({ id, name, description, effort, efforts }: Entry, isDefault: boolean): Model {
  return {
    id,
    model: id,
    upgrade: null,
    upgradeInfo: null,
    availabilityNux: null,
    displayName: name,
    description,
    modelSpecialty: null,
    hidden: false,
    supportedReasoningEfforts: efforts.map((each) => ({ reasoningEffort: each, description: EFFORTS[each] })),
    defaultReasoningEffort: effort,
    inputModalities: ["text", "image"],
    supportsPersonality: false,
    multiAgentVersion: null,
    additionalSpeedTiers: [],
    serviceTiers: [],
    defaultServiceTier: null,
    availableAccessPrograms: null,
    isDefault,
  };
}
