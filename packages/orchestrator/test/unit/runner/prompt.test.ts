import { describe, expect } from "vitest";
import { earlierText, NO_TOKENS, resumption, type ClaimFacts } from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { issueWith, tokens } from "../policy/world.ts";

const CLAIM: ClaimFacts = {
  issueId: "1",
  issue: issueWith({ state: "Todo" }),
  attempt: 1,
  retryKind: "continuation",
  lastError: null,
  failures: 0,
  sessions: 0,
  spent: NO_TOKENS,
  host: null,
  workspacePath: null,
  threadId: null,
  claimedAt: "2026-05-01T10:00:00.000Z",
};

describe("the first words of a later run", () => {
  const resumed = (changes: Partial<ClaimFacts>): string =>
    resumption({ ...CLAIM, ...changes }).split("\n")[0] ?? "";

  verifies("fleet.runner.told", "say how the previous session on this thread ended", () => {
    expect(resumed({})).toBe("The previous session ended normally.");
    const incomplete = "Its last turn may be incomplete: look at the files before you repeat a step.";
    const lastError = "turn_timeout: it was silent.";
    expect(resumed({ retryKind: "failure", lastError })).toBe(
      `The previous session ended early: turn_timeout: it was silent. ${incomplete}`,
    );
    expect(resumed({ retryKind: "lost" })).toBe(`The previous session ended early. ${incomplete}`);
    // A drain interrupted it.
    expect(resumed({ lastError: "the fleet ended during the run" })).toBe(
      `The previous session may have ended early: the fleet ended during the run. ${incomplete}`,
    );
    expect(resumed({ retryKind: "moved" })).toContain("another host");
    // An earlier claim had this thread, and how its last run ended is not known.
    expect(resumed({ attempt: null, retryKind: null })).toContain(incomplete);
  });

  verifies("fleet.runner.told", "on a new thread, say whether there is earlier work and where", () => {
    expect(earlierText({ ...CLAIM, attempt: null, retryKind: null }, false)).toBe("");
    // The first attempt ended before there was an agent.
    expect(earlierText({ ...CLAIM, retryKind: "failure", lastError: "hook_failed: no" }, false)).toBe("");
    const kept = earlierText({ ...CLAIM, retryKind: "failure", lastError: "port_exit: it died" }, true);
    expect(kept).toContain("its files were kept. It ended with: port_exit: it died. Its conversation");
    const moved = earlierText({ ...CLAIM, retryKind: "moved" }, false);
    expect(moved).toContain("Its files and its conversation are not here");
    expect(earlierText({ ...CLAIM, retryKind: "lost", spent: tokens(5) }, false)).toBe(moved);
  });
});
