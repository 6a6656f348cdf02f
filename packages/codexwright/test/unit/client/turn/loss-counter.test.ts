import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { CrashLoopError, LossCounter } from "../../../../src/client/connection/recovery/recovery.ts";

verifies(
  "recovery.crash-loop",
  "retries immediately after the first loss, then with delays that double up to 5 s",
  () => {
    const counter = new LossCounter({ attempts: 9 });
    const waits = Array.from({ length: 9 }, () => counter.lost(undefined) as number);
    const most = [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000];
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(most[n] ?? 0);
      expect(wait).toBeGreaterThanOrEqual((most[n] ?? 0) / 2);
    }
    expect(counter.lost(undefined)).toBeInstanceOf(CrashLoopError);
  },
);
