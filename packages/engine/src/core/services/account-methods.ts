import type { Handlers } from "codexwright/endpoint";
import type { AuthMode } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../host.ts";
import { notSupported } from "./unsupported-methods.ts";

/** Accepts any API key without asking a provider. Rejects browser logins, because they need a provider. */
export function accountMethods(host: EngineHost): Handlers {
  let key: string | undefined;
  const updated = (authMode: AuthMode | null): void =>
    host.endpoint.broadcast("account/updated", { authMode, planType: null });
  return {
    "account/read": () => ({
      // A provider that needs no OpenAI login does not use OpenAI accounts.
      account: host.openaiAuth && key !== undefined ? { type: "apiKey" } : null,
      requiresOpenaiAuth: host.openaiAuth,
      workspaceRouting: null,
    }),
    "account/rateLimits/read": () => {
      const need = key === undefined ? "codex account" : "chatgpt";
      throw new ResponseError(-32600, `${need} authentication required to read rate limits`);
    },
    "account/login/start": (params, context) => {
      if (params.type !== "apiKey") {
        throw notSupported("this server can log in with an API key only");
      }
      key = params.apiKey;
      context.afterAnswer(() => {
        context.connection.notify("account/login/completed", {
          loginId: null,
          success: true,
          error: null,
          onboardingEntrypoint: null,
        });
        updated("apikey");
      });
      return { type: "apiKey" };
    },
    "account/login/cancel": () => ({ status: "notFound" }),
    "account/logout": (_params, context) => {
      key = undefined;
      context.afterAnswer(() => updated(null));
      return {};
    },
    getAuthStatus: () => ({
      authMethod: host.openaiAuth && key !== undefined ? "apikey" : null,
      authToken: null,
      requiresOpenaiAuth: host.openaiAuth,
    }),
  };
}
