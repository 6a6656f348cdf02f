import type { Model } from "codexwright/protocol";

const EFFORTS = [
  { reasoningEffort: "low", description: "Fast responses with lighter reasoning" },
  { reasoningEffort: "medium", description: "Balances speed and reasoning depth for everyday tasks" },
  { reasoningEffort: "high", description: "Greater reasoning depth for complex problems" },
];

/** The models that a fake server lists. */
export const MODELS: readonly Model[] = ["mock-model", "mock-model-mini"].map((id, at) => ({
  id,
  model: id,
  upgrade: null,
  upgradeInfo: null,
  availabilityNux: null,
  displayName: at === 0 ? "Mock" : "Mock Mini",
  description: "A script that answers in place of a model.",
  modelSpecialty: null,
  hidden: false,
  supportedReasoningEfforts: EFFORTS,
  defaultReasoningEffort: "medium",
  inputModalities: ["text", "image"],
  supportsPersonality: false,
  multiAgentVersion: null,
  additionalSpeedTiers: [],
  serviceTiers: [],
  defaultServiceTier: null,
  availableAccessPrograms: null,
  isDefault: at === 0,
}));
