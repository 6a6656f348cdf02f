import type { Handlers } from "codexwright/endpoint";
import type { AuthMode } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../../host.ts";
import { readingConfig } from "../unreadable.ts";
import { notSupported } from "../unsupported-methods.ts";

/** A key is sent as a header of each request. */
const HEADER_TEXT = /^[\t\x20-\x7E]*$/;
const LONGEST_KEY = 8_192;
const LOGIN_ID = /^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/i;

/** The methods of the account. The only login is an API key, which is stored without asking a provider. */
export function accountMethods(host: EngineHost): Handlers {
  const { logins, openaiAuth, rateLimits } = host;
  const read = async (): Promise<boolean> =>
    (await readingConfig("failed to read the login", () => logins.read())) === "apiKey";
  // A provider that needs no OpenAI login does not use OpenAI accounts.
  const method = async (): Promise<"apikey" | null> => ((await read()) && openaiAuth ? "apikey" : null);
  const updated = (authMode: AuthMode | null): void =>
    host.endpoint.broadcast("account/updated", { authMode, planType: null });
  return {
    "account/read": async () => ({
      account: (await method()) === null ? null : { type: "apiKey" },
      requiresOpenaiAuth: openaiAuth,
      workspaceRouting: null,
    }),
    "account/rateLimits/read": async () => {
      const answer = rateLimits.answer();
      if (answer) return answer;
      const need = (await read()) ? "chatgpt" : "codex account";
      throw new ResponseError(-32600, `${need} authentication required to read rate limits`);
    },
    "account/login/start": async (params, context) => {
      if (params.type !== "apiKey") throw notSupported("this server can log in with an API key only");
      checkKey(params.apiKey);
      await readingConfig("failed to save the login", () => logins.saveKey(params.apiKey));
      const isKey = await read();
      context.afterAnswer(() => {
        context.connection.notify("account/login/completed", {
          loginId: null,
          success: true,
          error: null,
          onboardingEntrypoint: null,
        });
        updated(isKey ? "apikey" : null);
      });
      return { type: "apiKey" };
    },
    "account/login/cancel": ({ loginId }) => {
      // Only logins in a browser have an id, and can be cancelled.
      if (!LOGIN_ID.test(loginId)) {
        throw new ResponseError(-32600, `invalid login id: ${loginId}`);
      }
      return { status: "notFound" };
    },
    "account/logout": async (_params, context) => {
      await readingConfig("failed to remove the login", () => logins.remove());
      const isKey = await read();
      context.afterAnswer(() => updated(isKey ? "apikey" : null));
      return {};
    },
    getAuthStatus: async () => ({
      authMethod: await method(),
      // A key leaves the server in requests to its provider only.
      authToken: null,
      requiresOpenaiAuth: openaiAuth,
    }),
  };
}

function checkKey(key: string): void {
  if (key.length <= LONGEST_KEY && HEADER_TEXT.test(key)) return;
  throw new ResponseError(
    -32600,
    `apiKey must contain at most ${LONGEST_KEY} characters, and only printable ASCII characters`,
  );
}
