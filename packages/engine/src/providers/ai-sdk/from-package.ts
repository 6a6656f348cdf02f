import { loadOptional } from "codexwright/internal";
import type { ModelProvider } from "../../core/ports.ts";
import { ownModels } from "../catalogue/index.ts";
import { checkHeaderText, headersOf, secretsIn, urlOf } from "../http/index.ts";
import { Cleaner } from "../secrets/index.ts";
import type { ModelCapabilities } from "./capabilities.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { KINDS, type KindName } from "./kinds/index.ts";
import type { AiSdkModel } from "./language-model.ts";
import { AiSdkProvider } from "./provider.ts";

/** A provider of a configuration whose API a package of the AI SDK speaks. */
export interface PackagedProvider {
  readonly api: KindName;
  readonly id: string;
  readonly baseUrl: string | undefined;
  /** Called before each request. It may throw a `ModelError` that says how to set the key. */
  readonly apiKey?: (() => string | undefined) | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The model of the configuration. */
  readonly model: string;
  /** The models that the configuration describes. */
  readonly models: Readonly<Record<string, ModelCapabilities>>;
  readonly fetch?: typeof fetch | undefined;
}

const CALL = "providerOf()";

/** Answers model requests through a package of the AI SDK, which is loaded with the first request. */
export function packagedProvider(options: PackagedProvider): ModelProvider {
  const kind = KINDS[options.api];
  const url = urlOf(CALL, options.baseUrl ?? kind.baseUrl ?? "");
  for (const [name, value] of Object.entries(options.query)) url.searchParams.set(name, value);
  const own = headersOf(CALL, options.headers);
  const capabilities = (model: string): ModelCapabilities => ({
    ...kind.known(model),
    ...(Object.hasOwn(options.models, model) && given(options.models[model])),
  });
  const keyNow = (): string | undefined => {
    const key = options.apiKey?.();
    if (key !== undefined) checkHeaderText(CALL, "apiKey", key);
    return key;
  };
  let key: string | undefined;
  const cleaner = (): Cleaner => new Cleaner(secretsIn(key, own, url));
  const send = guardedFetch({
    send: options.fetch ?? fetch,
    cleaner,
    prepare: (headers, target) => {
      kind.authorize(headers, key);
      for (const [name, value] of Object.entries(own)) headers.set(name, value);
      for (const [name, value] of url.searchParams) target.searchParams.set(name, value);
    },
  });
  const base = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  let opened: Promise<(model: string) => AiSdkModel> | undefined;
  const open = async (): Promise<(model: string) => AiSdkModel> => {
    const loaded = await loadOptional<object>(
      kind.package,
      `a provider with codexwright_api = "${options.api}"`,
    );
    return kind.open(loaded, { baseUrl: base, fetch: send });
  };
  return new AiSdkProvider({
    id: options.id,
    model: async (name) => {
      key = keyNow();
      // A package that is installed after a failure is found.
      opened ??= open();
      opened.catch(() => (opened = undefined));
      return (await opened)(name);
    },
    models: ownModels(options.model, Object.keys(options.models), capabilities),
    capabilities,
    reasoning: kind.reasoning,
    toolImages: kind.toolImages,
    allUrls: kind.allUrls,
    settings: (request, can) => kind.settings(request, can),
    ...(kind.mark && { mark: kind.mark }),
    cleaner,
  });
}

/** Settings that are not set must not hide what is known. */
function given(settings: ModelCapabilities | undefined): ModelCapabilities {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined));
}
