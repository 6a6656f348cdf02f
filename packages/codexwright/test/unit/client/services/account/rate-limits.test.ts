import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import type { RateLimitSnapshot } from "codexwright/protocol";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { fakeClient } from "../../fake-client.ts";
import type { RateLimitState } from "../../../../../src/client/services/account/rate-limits.ts";

const FAKE: VerifiesOptions = { against: "fake" };

const codexLimit: RateLimitSnapshot = {
  limitId: "codex",
  limitName: "Codex",
  normalModelSlug: null,
  primary: { usedPercent: 10, windowDurationMins: 300, resetsAt: 1_000 },
  secondary: { usedPercent: 1, windowDurationMins: 10_080, resetsAt: 9_000 },
  credits: { hasCredits: true, unlimited: false, balance: "5" },
  individualLimit: null,
  spendControlReached: true,
  planType: "pro",
  rateLimitReachedType: null,
};
const other: RateLimitSnapshot = { ...codexLimit, limitId: "other", limitName: "Other", secondary: null };

const read = {
  ordinaryUsageAllowed: true,
  rateLimits: codexLimit,
  rateLimitsByLimitId: { codex: codexLimit, other },
  rateLimitResetCredits: { availableCount: 2, credits: null },
  accountId: "account",
  rateLimitUpsell: null,
};

const reading: WireStep = { on: "account/rateLimits/read", result: read };
const update = (rateLimits: object): WireStep => ({
  send: { method: "account/rateLimits/updated", params: { rateLimits } },
});
/** A request of the test: when it is answered, everything that the server sent before has arrived. */
const sync: WireStep = { on: "account/read", result: { account: null, requiresOpenaiAuth: false } };

verifies(
  "account.rate-limits",
  "merges a partial update into the last known values of its `limitId`, without erasing values",
  async () => {
    await using world = await fakeClient([
      reading,
      sync,
      update({ limitId: "codex", primary: { usedPercent: 20, windowDurationMins: null, resetsAt: null } }),
      update({
        ...other,
        primary: { usedPercent: 90, windowDurationMins: 60, resetsAt: null },
        credits: null,
      }),
      update({
        limitId: null,
        planType: null,
        secondary: null,
        credits: { hasCredits: false, unlimited: false },
      }),
      sync,
    ]);
    const limits = world.codex.rateLimits;
    const seen: RateLimitState[] = [];
    const stop = limits.subscribe((state) => seen.push(state));
    expect(limits.current).toBeUndefined();
    expect(await limits.read()).toEqual(read);
    await world.codex.account();
    await world.codex.account();
    const expected = {
      ...codexLimit,
      primary: { usedPercent: 20, windowDurationMins: 300, resetsAt: 1_000 },
      credits: { hasCredits: false, unlimited: false },
    };
    expect(limits.current).toEqual({
      ...read,
      rateLimits: expected,
      rateLimitsByLimitId: {
        codex: expected,
        other: { ...other, primary: { usedPercent: 90, windowDurationMins: 60, resetsAt: null } },
      },
    });
    expect(await limits.read()).toBe(limits.current);
    expect(seen).toHaveLength(4);
    expect(seen[1]?.rateLimits.primary?.usedPercent).toBe(20);
    expect(read.rateLimits.primary?.usedPercent).toBe(10);
    stop();
    expect(world.sent()).toHaveLength(3);
  },
  FAKE,
);

verifies(
  "account.rate-limits",
  "keeps updates that arrive before or during the read, and accepts updates of older servers, which have no `limitId`",
  async () => {
    await using world = await fakeClient([
      sync,
      update({ primary: { usedPercent: 5, windowDurationMins: 300, resetsAt: 7 }, secondary: null }),
      sync,
      { on: "account/rateLimits/read" },
      update({ primary: { usedPercent: 30, windowDurationMins: 300, resetsAt: null } }),
      {
        answer: "account/rateLimits/read",
        result: { rateLimits: { primary: { usedPercent: 25, windowDurationMins: 300, resetsAt: 8 } } },
      },
    ]);
    const limits = world.codex.rateLimits;
    limits.subscribe(() => {
      throw new Error("a failing listener");
    });
    await world.codex.account();
    await world.codex.account();
    expect(limits.current).toMatchObject({
      rateLimits: { primary: { usedPercent: 5, resetsAt: 7 }, secondary: null },
      rateLimitsByLimitId: { codex: { primary: { usedPercent: 5 } } },
    });
    const state = await limits.read();
    expect(state.rateLimits.primary).toEqual({ usedPercent: 30, windowDurationMins: 300, resetsAt: 8 });
    expect(limits.current).toBe(state);
    expect(world.warnings).toContain("listener_failed");
  },
  FAKE,
);

verifies(
  ["account.rate-limits", "account.read"],
  "forgets the limits of another account, asks again on refresh, and rejects if the server refuses",
  async () => {
    await using world = await fakeClient([
      reading,
      { on: "account/logout", result: {} },
      { send: { method: "account/updated", params: { authMode: null, planType: null } } },
      sync,
      { on: "account/rateLimits/read", error: { code: -32600, message: "authentication required" } },
      reading,
      { on: "account/rateLimits/read", result: { ...read, ordinaryUsageAllowed: false } },
    ]);
    const limits = world.codex.rateLimits;
    await limits.read();
    await world.codex.logout();
    expect(await world.codex.account({ refreshToken: true })).toMatchObject({ account: null });
    expect(limits.current).toBeUndefined();
    expect(await rejection(limits.read())).toMatchObject({ code: "rpc", message: "authentication required" });
    await limits.read();
    const fresh = await limits.read({ refresh: true, excludeResetCreditDetails: true });
    expect(fresh.ordinaryUsageAllowed).toBe(false);
    expect(limits.current).toBe(fresh);
    expect(world.sent().at(-1)).toEqual({
      method: "account/rateLimits/read",
      params: { excludeResetCreditDetails: true },
    });
    expect(world.sent()[2]).toEqual({ method: "account/read", params: { refreshToken: true } });
  },
  FAKE,
);
