import fc from "fast-check";
import { expect } from "vitest";
import { EngineServer } from "@codexwright/engine";
import { responses } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { optionsOf } from "../ports.ts";
import { RawClient } from "../raw-client.ts";
import { COMPLETED, modelServer, said } from "./model-server.ts";

type Limits = { rateLimits: { limitId: string; primary: unknown; secondary: unknown } };

/** Runs a turn against a server with these headers. Returns the notification, and the answer of a read. */
async function limitsWith(
  headers: Readonly<Record<string, string>>,
): Promise<{ told: Limits; read: unknown; error: unknown }> {
  await using model = await modelServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    response.end(said("m", "hi") + COMPLETED);
  });
  await using server = new EngineServer(optionsOf(responses({ baseUrl: model.baseUrl, id: "own" })));
  const client = await RawClient.connect(server);
  await client.startTurn(await client.startThread(), "go");
  await client.told("turn/completed");
  const [told] = client.all("account/rateLimits/updated");
  const { result, error } = await client.call("account/rateLimits/read");
  return { told: told?.params as unknown as Limits, read: result, error };
}

const REST = {
  normalModelSlug: null,
  individualLimit: null,
  spendControlReached: null,
  planType: null,
  rateLimitReachedType: null,
};

verifies("engine.account.limits", "reports the limits of Codex's own headers", async () => {
  const { told, read } = await limitsWith({
    "x-codex-primary-used-percent": "12.5",
    "x-codex-primary-window-minutes": "300",
    "x-codex-primary-reset-at": "1795200000",
    "x-codex-secondary-used-percent": "40",
    "x-codex-credits-has-credits": "true",
    "x-codex-credits-unlimited": "false",
    "x-codex-credits-balance": "12.30",
    "x-codex-limit-name": "nm",
  });
  const snapshot = {
    ...REST,
    limitId: "codex",
    limitName: "nm",
    primary: { usedPercent: 13, windowDurationMins: 300, resetsAt: 1795200000 },
    secondary: { usedPercent: 40, windowDurationMins: null, resetsAt: null },
    credits: { hasCredits: true, unlimited: false, balance: "12.30" },
  };
  expect(told).toEqual({ rateLimits: snapshot });
  expect(read).toMatchObject({ rateLimits: snapshot, rateLimitsByLimitId: { codex: snapshot } });
});

verifies("engine.account.limits", "reports further limits, and those of other APIs", async () => {
  const other = await limitsWith({
    "x-codex-primary-used-percent": "5",
    "x-codex-big-model-primary-used-percent": "9",
    "x-codex-big-model-limit-name": "Big",
  });
  expect(other.told.rateLimits).toMatchObject({ limitId: "codex_big_model", limitName: "Big" });
  expect(other.read).toMatchObject({
    rateLimitsByLimitId: { codex: { primary: { usedPercent: 5 } }, codex_big_model: {} },
  });

  const before = Date.now() / 1_000;
  const { told } = await limitsWith({
    "x-ratelimit-limit-requests": "100",
    "x-ratelimit-remaining-requests": "25",
    "x-ratelimit-reset-requests": "6m0s",
    "x-ratelimit-limit-tokens": "1000",
    "x-ratelimit-remaining-tokens": "900",
    "x-ratelimit-reset-tokens": "20ms",
  });
  expect(told.rateLimits).toMatchObject({
    limitId: "x-ratelimit",
    primary: { usedPercent: 75, windowDurationMins: null },
    secondary: { usedPercent: 10 },
  });
  const { resetsAt } = told.rateLimits.primary as { resetsAt: number };
  expect(resetsAt).toBeGreaterThanOrEqual(before + 360);
  expect(resetsAt).toBeLessThan(before + 480);
});

verifies("engine.account.limits", "without limits, there is nothing to read", async () => {
  const { told, error } = await limitsWith({});
  expect(told.rateLimits).toMatchObject({ limitId: "codex", primary: null, secondary: null });
  expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("required") as unknown });
});

verifies(
  "engine.account.limits",
  "ignores headers that make no sense",
  async () => {
    const value = fc.oneof(
      fc.constantFrom(
        "",
        "NaN",
        "Infinity",
        "-5",
        "1e309",
        "0x10",
        "1 2",
        "true",
        "9".repeat(400),
        "6m0s6m0s",
        "-1s",
      ),
      fc.stringMatching(/^[\x21-\x7E]{0,12}$/),
    );
    const name = fc.constantFrom(
      "x-codex-primary-used-percent",
      "x-codex-primary-window-minutes",
      "x-codex-primary-reset-at",
      "x-codex-__proto__-primary-used-percent",
      "x-codex-credits-has-credits",
      "x-codex-credits-balance",
      "x-codex-limit-name",
      "x-ratelimit-limit-tokens",
      "x-ratelimit-remaining-tokens",
      "x-ratelimit-reset-tokens",
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 6 }), async (headers) => {
        const { told } = await limitsWith(headers);
        for (const each of [told.rateLimits.primary, told.rateLimits.secondary]) {
          if (each === null) continue;
          const { usedPercent } = each as { usedPercent: number };
          expect(Number.isSafeInteger(usedPercent)).toBe(true);
        }
        expect(told.rateLimits.limitId).toMatch(/^(?:codex|codex_[\w]+|x-ratelimit)$/);
      }),
      { numRuns: 40, seed: 3 },
    );
  },
  { timeoutMs: 60_000 },
);
