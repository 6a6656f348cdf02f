import { describe, expect } from "vitest";
import { FleetLog, Journal, type NewFleetEvent } from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";

describe("the journal", () => {
  verifies(
    "fleet.observe.events",
    "stores events in their order, and keeps the newest for a database that is away",
    async () => {
      const stored: string[] = [];
      let isAway = true;
      const store = {
        emit: async (_: string, events: readonly NewFleetEvent[]) => {
          await Promise.resolve();
          if (isAway) throw new Error("away");
          stored.push(...events.map(({ message }) => message));
        },
      };
      const clean = (text: string): string => text.replaceAll("secret", "…");
      const journal = new Journal(store, "scope", { log: new FleetLog({ sinks: [], clean }), clean });
      for (let index = 0; index < 1_010; index++)
        journal.record({ event: "warning", message: `secret ${index}`, data: { deep: [{ x: "secret" }] } });
      await journal.flush();
      expect(stored).toEqual([]);
      isAway = false;
      journal.record({ event: "warning", message: "last" });
      await journal.flush();
      expect(stored).toHaveLength(1_000);
      expect(stored[0]).toBe("… 11");
      expect(stored.slice(-2)).toEqual(["… 1009", "last"]);
      expect(journal.dropped).toBe(11);
    },
  );

  verifies("fleet.observe.line", "a line about an event has its issue and its data", async () => {
    const lines: string[] = [];
    const clean = (text: string): string => text;
    const log = new FleetLog({ sinks: [(line) => void lines.push(line)], format: "json", clean });
    const journal = new Journal({ emit: async () => {} }, "scope", { log, clean });
    journal.record({
      event: "run.ended",
      issueId: "1",
      identifier: "ABC-1",
      sessionId: "t-u",
      message: "the run has ended",
      data: { outcome: "failed", reason: "turn_timeout" },
    });
    await journal.flush();
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "info",
      event: "run.ended",
      issue_id: "1",
      issue_identifier: "ABC-1",
      session_id: "t-u",
      outcome: "failed",
      reason: "turn_timeout",
    });
  });
});
