import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { jwt } from "../unit/recording/secrets.ts";

export const ACCOUNT = "account-1";

/** Returns a token that looks like a ChatGPT token and contains this marker. */
export const accessToken = (marker: string): string =>
  jwt({
    jti: marker,
    exp: Math.floor(Date.now() / 1_000) + 3_600,
    "https://api.openai.com/profile": { email: "somebody@example.test" },
    "https://api.openai.com/auth": { chatgpt_account_id: ACCOUNT, chatgpt_plan_type: "pro" },
  });

/** The part of ChatGPT's backend that a login by tokens needs. */
export async function chatgptBackend(): Promise<{ readonly url: string } & AsyncDisposable> {
  const answers: Record<string, object> = {
    "/backend-api/wham/accounts/check": {
      accounts: [
        {
          id: ACCOUNT,
          plan_type: "pro",
          structure: "personal",
          workspace_backend_origin: "https://chatgpt.invalid",
          account_routing_override: "NO_CONSTRAINT",
        },
      ],
      account_ordering: [ACCOUNT],
      default_account_id: ACCOUNT,
    },
    "/backend-api/wham/usage": {
      plan_type: "pro",
      rate_limit: {
        allowed: true,
        limit_reached: false,
        primary_window: {
          used_percent: 12,
          limit_window_seconds: 18_000,
          reset_after_seconds: 60,
          reset_at: 1_900_000_000,
        },
      },
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/backend-api`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
