import type { Handlers } from "codexwright/endpoint";
import type { Model } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";

const EFFORTS = [
  { reasoningEffort: "low", description: "Fast responses with lighter reasoning" },
  { reasoningEffort: "medium", description: "Balances speed and reasoning depth for everyday tasks" },
  { reasoningEffort: "high", description: "Greater reasoning depth for complex problems" },
];

const MODELS: readonly Model[] = ["mock-model", "mock-model-mini"].map((id, at) => ({
  id,
  model: id,
  upgrade: null,
  upgradeInfo: null,
  availabilityNux: null,
  displayName: at === 0 ? "Mock" : "Mock Mini",
  description: "A script that answers as a model would.",
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

/** The models and what goes with them: two, and no more. */
export function modelMethods(): Handlers {
  return {
    "model/list": ({ cursor, limit }) => {
      const from = cursor ? Number(cursor) : 0;
      if (!Number.isInteger(from)) throw new ResponseError(-32600, `invalid cursor: ${cursor}`);
      const data = MODELS.slice(from, from + (limit ?? MODELS.length));
      const next = from + data.length;
      return { data, nextCursor: next < MODELS.length ? String(next) : null };
    },
    "modelProvider/capabilities/read": () => ({ imageGeneration: true, webSearch: true }),
    "collaborationMode/list": () => ({
      data: [
        { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
        { name: "Default", mode: "default", model: null, reasoning_effort: null },
      ],
    }),
    "permissionProfile/list": () => ({
      data: [":read-only", ":workspace", ":danger-full-access"].map((id) => ({
        id,
        description: null,
        allowed: true,
      })),
      nextCursor: null,
    }),
  };
}
