import type { ModelRequest } from "../../../core/ports.ts";
import type { ModelCapabilities } from "../capabilities.ts";
import type { AiSdkModel, AiSdkSettings, PromptMessage } from "../language-model.ts";
import type { ReaderOptions } from "../response-reader.ts";

/** An API that a package of the AI SDK speaks. */
export interface Kind {
  /** The package that a user installs. */
  readonly package: string;
  /** The address of the API, if it has one. */
  readonly baseUrl?: string;
  readonly reasoning: ReaderOptions["reasoning"];
  readonly toolImages: boolean;
  readonly allUrls: boolean;
  /** The capabilities of a model, as far as its name tells them. */
  known(model: string): ModelCapabilities;
  /** Makes a function that returns models, from the loaded package. */
  open(loaded: object, target: Target): (model: string) => AiSdkModel;
  /** Sets the header with the key. Without a key, it removes what the package sends in its place. */
  authorize(headers: Headers, key: string | undefined): void;
  settings(request: ModelRequest, capabilities: ModelCapabilities): AiSdkSettings;
  readonly mark?: (messages: readonly PromptMessage[]) => readonly PromptMessage[];
}

/** The address of an API, and the function that sends requests. */
export interface Target {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** The key that the packages get, so that they do not look for one in the environment. It is never sent. */
export const NO_KEY = "set-by-codexwright";

/** Sets a header, or removes it. */
export function setOrRemove(headers: Headers, name: string, value: string | undefined): void {
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
}

/** A function of a package, by its name. */
export function exported(loaded: object, name: string, from: string): unknown {
  const value = (loaded as Readonly<Record<string, unknown>>)[name];
  if (typeof value !== "function") throw new TypeError(`the package ${from} has no function ${name}`);
  return value;
}
