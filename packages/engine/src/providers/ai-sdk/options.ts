import { InvalidArgumentError } from "codexwright/rpc";
import { checkOptions, isJsonObject, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Model } from "codexwright/protocol";
import type { ModelRequest } from "../../core/ports.ts";
import type { ModelCapabilities } from "./capabilities.ts";
import type { AiSdkModel, AiSdkSettings } from "./language-model.ts";

/** Options of {@link aiSdkProvider}. */
export interface AiSdkProviderOptions {
  /** The name that clients see as the `modelProvider` of a thread; default "ai-sdk". */
  readonly id?: string | undefined;
  /** The models for `model/list`; default: none. */
  readonly models?: readonly Model[] | undefined;
  /** The capabilities of a model. Default: all of them, and a context window that the engine assumes. */
  readonly capabilities?: ((model: string) => ModelCapabilities) | undefined;
  /** Whether clients see reasoning as a summary, or as the model's own text; default "summary". */
  readonly reasoning?: "summary" | "text" | undefined;
  /** The `providerOptions` for a request, such as a budget for reasoning. */
  readonly settings?: ((request: ModelRequest) => AiSdkSettings) | undefined;
}

const OPTIONS: Table<AiSdkProviderOptions> = {
  id: is.nonEmptyText,
  models: is.listOf<Model>(is.object),
  capabilities: is.func,
  reasoning: is.oneOf("summary", "text"),
  settings: is.func,
};

const CALL = "aiSdkProvider()";

export function checkAiSdkOptions(options: AiSdkProviderOptions): void {
  checkOptions(CALL, options, OPTIONS);
}

/** Throws if the value is not a model that the engine can call. */
export function checkModel(model: AiSdkModel): AiSdkModel {
  const value: unknown = model;
  const version = isJsonObject(value) ? value["specificationVersion"] : undefined;
  if (typeof value === "object" && value !== null && "doStream" in value && VERSIONS.has(version))
    return model;
  const found = typeof version === "string" ? `, not ${JSON.stringify(version.slice(0, 20))}` : "";
  throw new InvalidArgumentError(
    `${CALL}: the model must have version "v3" or "v4" of the AI SDK's specification${found}`,
  );
}

const VERSIONS: ReadonlySet<unknown> = new Set(["v3", "v4"]);
