import { describe, expect, test } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { cellOf, passed, unshown, type PromiseRecord } from "../../scripts/promise-records.ts";

const RUNTIMES = ["Bun 1", "Node 24"];
const [BUN, NODE] = RUNTIMES as [string, string];

function record(id: string, runtime: string, skipped?: string): PromiseRecord {
  return { id, against: "none", runtime, title: "it works", ...(skipped !== undefined && { skipped }) };
}

describe("the records of promises", () => {
  const records = [
    record("everywhere", BUN),
    record("everywhere", NODE),
    record("everywhere", NODE, "it needs root"),
    record("once", BUN, "Bun has its own"),
    record("once", NODE),
    record("never", BUN, "it needs root"),
    record("never", NODE, "it needs Linux"),
    record("never", NODE, "it needs root"),
  ];
  const cell = (id: string): string => cellOf(records, { id, against: "none" }, RUNTIMES);

  test("a skipped test does not count for its runtime", () => {
    expect(cell("everywhere")).toBe("all");
    expect(cell("once")).toBe("Node 24");
    expect(passed(records).map(({ id }) => id)).toEqual(["everywhere", "everywhere", "once"]);
  });

  verifies(
    "symphony.17.8.skipped",
    "a promise whose tests were all skipped is listed with the reasons",
    () => {
      expect(cell("never")).toBe("skipped: it needs Linux; it needs root");
      expect(unshown(records)).toEqual(["never skipped: it needs Linux; it needs root"]);
    },
  );

  test("a promise without a record has an empty cell", () => {
    expect(cell("unknown")).toBe("");
    expect(cellOf(records, { id: "once", against: "fake" }, RUNTIMES)).toBe("");
  });
});
