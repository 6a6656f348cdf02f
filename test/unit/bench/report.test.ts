import { describe, expect, test } from "vitest";
import { page, tablesPage } from "../../../bench/lib/page.ts";
import { benchmarkPictures } from "../../../bench/plots/pictures.ts";
import { ahead, cellsOf, format, met, missed, row, type Row, type Table } from "../../../bench/lib/report.ts";
import { withSections, type Results } from "../../../bench/lib/results.ts";
import { reasonIn } from "../../../bench/lib/sample.ts";
import { verifies } from "@codexwright/test-support/verifies";

const raw: Row = { ...row("raw", [{ cpuUs: 2.5 }, { cpuUs: 2 }, { cpuUs: 9 }], "cpuUs"), of: "bound" };
const ours: Row = {
  ...row("ours", [{ cpuUs: 3 }, { cpuUs: 4 }], "cpuUs", { baseline: raw, target: 1.2 }),
  of: "ours",
  why: "It does more.",
};
const quick: Row = { name: "quick", of: "peer", min: 1.5, median: 1.5, rival: "ours", why: "It does less." };
const slow: Row = { name: "slow", of: "peer", min: 30, median: 31, ratio: 15, rival: "ours" };
const table: Table = {
  title: "messages",
  unit: "µs",
  rows: [raw, ours, quick, slow, { name: "gone", of: "peer", absent: "not found | at all" }],
};

describe("a row", () => {
  verifies("bench.report", "has the ratio of the smallest figures", () => {
    expect(raw).toMatchObject({ min: 2, median: 2.5 });
    expect(ours).toMatchObject({ min: 3, median: 4, ratio: 1.5, target: 1.2 });
  });

  verifies("bench.report", "misses its target if it has no figure", () => {
    const none = row("none", [], "cpuUs", { baseline: raw, target: 2 });
    expect(met(none)).toBe(false);
    expect(() => row("other", [{ wallUs: 1 }], "cpuUs")).toThrow('no figure "cpuUs"');
  });

  test("is compared by its median if it has no ratio", () => {
    expect(met({ name: "memory", min: 1, median: 65, target: 64 })).toBe(false);
    expect(met({ name: "memory", min: 1, median: 64, target: 64 })).toBe(true);
    expect(met({ name: "told only", min: 1, median: 2 })).toBe(true);
  });
});

describe("a table", () => {
  test("lists the missed targets and the peers that are faster", () => {
    expect(missed(table).map(({ name }) => name)).toEqual(["ours"]);
    expect(ahead(table)).toEqual([{ ours, peer: quick }]);
  });

  test("compares each peer with our row for the same task, in a separate column", () => {
    expect(cellsOf(table)).toEqual([
      ["messages", "min µs", "median µs", "ratio", "of ours", "target", ""],
      ["raw", "2.00", "2.50", "", "", "", ""],
      ["ours", "3.00", "4.00", "1.50x", "", "<= 1.2x", "MISSED"],
      ["quick", "1.50", "1.50", "", "0.50x", "", ""],
      ["slow", "30.0", "31.0", "15.0x", "10.0x", "", ""],
      ["gone", "-", "-", "", "", "", "not found | at all"],
    ]);
  });

  test("has no such column if there are no peers", () => {
    const lines = format({ ...table, rows: [raw, ours] }).split("\n");
    expect(lines[0]).toBe("messages  min µs  median µs  ratio   target");
    expect(lines[2]).toBe("ours        3.00       4.00  1.50x  <= 1.2x  MISSED");
  });
});

describe("the page", () => {
  const section = { name: "messages", heading: "Messages", about: "What a message costs.", tables: [table] };
  const results: Results = {
    date: "2026-11-15",
    versions: [["Node", "20.20.2"]],
    machine: "linux x64, 2 cores, 24 GB of memory",
    quick: false,
    sections: [section],
  };

  verifies(
    "bench.page",
    "names the machine and versions of the measurement, and says where our client is slower",
    () => {
      const text = page(results);
      expect(text).toContain("on 2026-11-15");
      expect(text).toContain("linux x64, 2 cores, 24 GB of memory");
      expect(text).toContain("| Node | 20.20.2 |");
      expect(text).toContain("- **messages**, ours: 1.50x instead of 1.2x. It does more.");
      expect(text).toContain("- **messages**: quick (0.50x). It does less.");
      expect(text).not.toContain("`npm run bench -- --quick`");
      expect(page({ ...results, quick: true })).toContain("`npm run bench -- --quick`");
    },
  );

  verifies("bench.write", "names the sections that were measured later, with the facts of their runs", () => {
    const own = {
      date: "2026-11-19",
      versions: [["Node", "22.23.3"]] as const,
      machine: "linux x64, 2 cores, load average 3.0 at the start",
      quick: false,
    };
    const added = { ...section, name: "added", heading: "Added" };
    const replaced = withSections(results, [{ ...section, own }, added], ["added", "messages"]);
    expect(replaced.sections.map(({ name }) => name)).toEqual(["added", "messages"]);
    expect(page(replaced)).toContain("each in a run of its own: _Messages_ (2026-11-19).");
    expect(page(results)).not.toContain("in a run of its own");
    expect(tablesPage(replaced)).toContain(
      "Measured by `npm run bench -- --write messages` on 2026-11-19. Machine: linux x64, 2 cores, load average 3.0 at the start. Node 22.23.3.",
    );
    expect(tablesPage(replaced).match(/Measured by/g)).toHaveLength(1);
  });

  verifies("bench.page", "shows the figures of a fleet that have targets", () => {
    const tick: Row = {
      name: "a tick",
      of: "ours",
      min: 4,
      median: 43.4,
      ratio: 9,
      target: 50,
      isAbsolute: true,
    };
    const tables = [{ title: "1,000 issues", unit: "ms", rows: [raw, tick] }];
    const text = page({ ...results, sections: [{ ...section, name: "fleet", tables }] });
    expect(text).toContain("| 1,000 issues | a tick | 43.4 ms | 50 ms |");
    expect(text).toContain("Every target is met.");
    expect(cellsOf({ title: "", unit: "", rows: [{ ...tick, median: 51 }] })[1]).toEqual([
      "a tick",
      "4.00",
      "51.0",
      "9.00x",
      "<= 50",
      "MISSED",
    ]);
  });

  test("shows every plot in light and in dark, and has its tables on another page", () => {
    const text = page(results);
    for (const name of Object.keys(benchmarkPictures(results))) {
      expect(text).toContain(`srcset="./pictures/${name}-dark.svg"`);
      expect(text).toContain(`src="./pictures/${name}-light.svg"`);
    }
    expect(text).not.toContain("| gone |");
    expect(tablesPage(results)).toContain("| gone | - | - |  |  |  | not found \\| at all |");
  });

  test("says so if our client is faster everywhere", () => {
    const text = page({ ...results, sections: [{ ...section, tables: [{ ...table, rows: [raw, slow] }] }] });
    expect(text).toContain("Every target is met.");
    expect(text).toContain("No other client needs less than codexwright in any row.");
  });
});

test("an error of a program is reported without paths of the machine", () => {
  const stderr = [
    "file:///home/someone/x/index.js:3",
    "    throw new Error();",
    "TypeError: cannot read /home/someone/cache/peer@1.0.0/index.js twice",
    "    at run (file:///home/someone/x/index.js:3:1)",
    "",
    "Node.js v20",
  ].join("\n");
  expect(reasonIn(stderr)).toBe("TypeError: cannot read (path) twice");
  expect(reasonIn("sh: no such program\n")).toBe("sh: no such program");
});
