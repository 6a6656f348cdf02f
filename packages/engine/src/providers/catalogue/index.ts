import type { Model } from "codexwright/protocol";
import type { ContextWindow } from "../../core/ports.ts";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly effort: string;
  readonly efforts: readonly (keyof typeof EFFORTS)[];
  readonly contextWindow: number;
  /** The largest window that a configuration can set. */
  readonly largestWindow: number;
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

const WINDOW = 272_000;
const LARGEST = 872_000;

/** The models of OpenAI that the pinned Codex offers, with their whole context windows. */
const MODELS: readonly Entry[] = [
  entry("gpt-6.1-sol", "GPT-6.1-Sol", "low", ALL, [WINDOW, LARGEST], "A large model of the 6.1 series."),
  entry("gpt-6-astra", "GPT-6-Astra", "low", ALL, [WINDOW, LARGEST], "The largest model of the 6 series."),
  entry("gpt-6-sol", "GPT-6-Sol", "medium", ALL, [WINDOW, LARGEST], "A large model of the 6 series."),
  entry("gpt-6-luna", "GPT-6-Luna", "medium", UP_TO_MAX, [WINDOW, LARGEST], "A small model of the 6 series."),
  entry("gpt-5.6-sol", "GPT-5.6-Sol", "low", ALL, [WINDOW, LARGEST], "A large model of the 5.6 series."),
  entry(
    "gpt-6.1-terra",
    "GPT-6.1 Terra",
    "low",
    ALL,
    [500_000, LARGEST],
    "A model with a large context window.",
  ),
  entry(
    "gpt-5.6-terra",
    "GPT-5.6-Terra",
    "medium",
    ALL,
    [WINDOW, LARGEST],
    "A middle model of the 5.6 series.",
  ),
  entry(
    "gpt-5.6-luna",
    "GPT-5.6-Luna",
    "medium",
    UP_TO_MAX,
    [WINDOW, LARGEST],
    "A small model of the 5.6 series.",
  ),
  entry("gpt-5.5", "GPT-5.5", "medium", UP_TO_XHIGH, [WINDOW, WINDOW], "A model of the 5.5 series."),
];

/** The model of a configuration that names none. */
export const DEFAULT_MODEL = "gpt-6.1-sol";

/** Models that are known but not listed. */
const HIDDEN: readonly Pick<Entry, "id" | "contextWindow" | "largestWindow">[] = [
  { id: "codex-auto-review", contextWindow: WINDOW, largestWindow: LARGEST },
];

/**
 * Returns the context window of a model, or `undefined` if the model is not known. As in Codex, a name that begins with
 * the name of a model is that model, and one namespace before the name does not count.
 */
export function windowOf(model: string): ContextWindow | undefined {
  const namespaced = /^[\w-]+\/([^/]+)$/.exec(model)?.[1];
  const known = longest(model) ?? (namespaced === undefined ? undefined : longest(namespaced));
  return known && { tokens: known.contextWindow, largest: known.largestWindow };
}

function longest(model: string): Pick<Entry, "contextWindow" | "largestWindow"> | undefined {
  return [...MODELS, ...HIDDEN]
    .filter(({ id }) => model.startsWith(id))
    .toSorted((a, b) => b.id.length - a.id.length)[0];
}

/** The models for `model/list`: the configured one, and those of OpenAI, which Codex lists for every provider. */
export function modelsFor(configured: string): Model[] {
  const own = entry(
    configured,
    configured,
    "medium",
    ["low", "medium", "high"],
    [WINDOW, WINDOW],
    "The configured model.",
  );
  const all = MODELS.some(({ id }) => id === configured) ? MODELS : [own, ...MODELS];
  return all.map((each) => wireModel(each, each.id === configured));
}

/** The models of a provider that is not OpenAI: the configured one, and those that its configuration describes. */
export function ownModels(
  configured: string,
  described: readonly string[],
  capabilities: (model: string) => {
    readonly images?: boolean | undefined;
    readonly reasoning?: boolean | undefined;
  },
): Model[] {
  return [...new Set([configured, ...described])].map((id): Model => {
    const { images = true, reasoning = true } = capabilities(id);
    const efforts: Entry["efforts"] = reasoning ? ["low", "medium", "high"] : [];
    const plain = entry(id, id, "medium", efforts, [WINDOW, WINDOW], "A model of this provider.");
    return { ...wireModel(plain, id === configured), inputModalities: images ? ["text", "image"] : ["text"] };
  });
}

function entry(
  id: string,
  name: string,
  effort: string,
  efforts: Entry["efforts"],
  [contextWindow, largestWindow]: readonly [number, number],
  description: string,
): Entry {
  return { id, name, effort, efforts, contextWindow, largestWindow, description };
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
