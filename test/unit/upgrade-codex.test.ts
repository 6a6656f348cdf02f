import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { CODEX_VERSIONS, PINNED_CODEX } from "../../scripts/codex-versions.ts";
import type { MethodSummary, VersionSummary } from "../../scripts/protocol/history.ts";
import { readDeclaration } from "../../scripts/protocol/read-surface.ts";
import { differencesOf, printDifferences, type Protocol } from "../../scripts/upgrade/differences.ts";
import { edited, EDITED, listOf, withVersion } from "../../scripts/upgrade/edits.ts";
import { nextSteps, PLACES } from "../../scripts/upgrade/next-steps.ts";
import { refusal } from "../../scripts/upgrade/registry.ts";
import { readTarget } from "../../scripts/upgrade/target.ts";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");
const stable = (...fields: string[]): MethodSummary => ({ stability: "stable", fields });

function protocol(
  version: string,
  methods: Partial<VersionSummary["methods"]>,
  types: Readonly<Record<string, string>>,
): Protocol {
  const none = { clientRequests: {}, clientNotifications: {}, serverRequests: {}, serverNotifications: {} };
  return {
    summary: { version, methods: { ...none, ...methods } },
    surface: new Map(
      Object.entries(types).map(([name, text]) => [
        name,
        readDeclaration(name, `export type ${name} = ${text};\n`),
      ]),
    ),
  };
}

const BEFORE = protocol(
  "0.1.0",
  {
    clientRequests: { "thread/start": stable("cwd"), "thread/rollback": stable(), same: stable("a") },
    serverRequests: { ask: { stability: "experimental", fields: [] } },
    serverNotifications: { "old/event": stable() },
  },
  {
    Same: "{ a: string, }",
    Also: "string",
    Changed: "{ a: string, }",
    Gone: "string",
    ClientRequest: "string",
  },
);
const AFTER = protocol(
  "0.2.0",
  {
    clientRequests: { "thread/start": stable("cwd", "model"), "thread/revert": stable(), same: stable("a") },
    serverRequests: { ask: stable(), "ask/more": stable() },
    serverNotifications: { "new/event": stable() },
  },
  {
    Same: "{ /** Now with a comment. */ a: string, }",
    Changed: "{ a?: string, }",
    New: "string",
    ClientRequest: "number",
  },
);

describe("the differences between two protocols", () => {
  verifies("upgrade.differences", "are the added, removed and changed methods and types", () => {
    expect(differencesOf(BEFORE, AFTER)).toEqual({
      from: "0.1.0",
      to: "0.2.0",
      methods: {
        clientRequests: { added: ["thread/revert"], removed: ["thread/rollback"], changed: ["thread/start"] },
        clientNotifications: { added: [], removed: [], changed: [] },
        serverRequests: { added: ["ask/more"], removed: [], changed: ["ask"] },
        serverNotifications: { added: ["new/event"], removed: ["old/event"], changed: [] },
      },
      types: { added: ["New"], removed: ["Also", "Gone"], changed: ["Changed"] },
    });
  });

  verifies(
    "upgrade.differences",
    "are printed with one line per added or removed method, and types in a row",
    () => {
      expect(printDifferences(differencesOf(BEFORE, AFTER)).split("\n")).toEqual([
        "Protocol of Codex 0.1.0 -> 0.2.0",
        "methods: 1 added, 1 removed, 1 changed",
        "  + thread/revert",
        "  - thread/rollback",
        "  ~ thread/start",
        "server requests: 1 added, 0 removed, 1 changed",
        "  + ask/more",
        "  ~ ask",
        "notifications: 1 added, 1 removed, 0 changed",
        "  + new/event",
        "  - old/event",
        "types: 1 added, 2 removed, 1 changed",
        "  + New",
        "  - Also, Gone",
        "  ~ Changed",
      ]);
      expect(printDifferences(differencesOf(BEFORE, BEFORE))).toContain("no difference");
    },
  );

  verifies("upgrade.differences", "lead to steps that name each new method and the files to edit", () => {
    const steps = nextSteps(differencesOf(BEFORE, AFTER), ["pages/a.md"]);
    const about = (text: string): string => steps.find((step) => step.includes(text)) ?? "";
    expect(about("new method")).toContain("thread/revert");
    expect(about("new notification")).toContain("new/event");
    expect(about("new server request")).toContain("ask/more");
    expect(about("gone")).toContain("thread/rollback, old/event");
    expect(about("pages/a.md")).toContain("0.1.0");
    expect(nextSteps(differencesOf(BEFORE, BEFORE), []).join("\n")).not.toContain("Decide");
    for (const file of Object.values(PLACES))
      expect([file, existsSync(path.join(ROOT, file))]).toEqual([file, true]);
  });
});

describe("the edits of an upgrade", () => {
  const move = { versions: CODEX_VERSIONS, from: PINNED_CODEX, to: "0.999.0" };

  verifies("upgrade.edits", "match the current files and contain the new version", () => {
    for (const file of EDITED) {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      const moved = edited(file, text, move);
      expect([file, moved === text]).toEqual([file, false]);
      expect(moved).toContain("0.999");
    }
    const versions = edited(
      "scripts/codex-versions.ts",
      readFileSync(path.join(ROOT, "scripts/codex-versions.ts"), "utf8"),
      move,
    );
    expect(versions).toContain(`"${PINNED_CODEX}", "0.999.0"] as const`);
    expect(versions).toContain('PINNED_CODEX: CodexVersion = "0.999.0"');
  });

  verifies("upgrade.edits", "fail on a sentence that no longer exists", () => {
    expect(() => edited("docs/guide/index.md", "# Guide\n", move)).toThrow(
      /docs\/guide\/index\.md does not contain/,
    );
  });

  verifies("upgrade.edits", "keep versions sorted by number, without duplicates", () => {
    expect(withVersion(["0.98.0", "0.120.0"], "0.100.1")).toEqual(["0.98.0", "0.100.1", "0.120.0"]);
    expect(withVersion(["0.98.0", "0.120.0"], "0.98.0")).toEqual(["0.98.0", "0.120.0"]);
    expect(listOf(["0.98.0", "0.100.1", "0.120.0"])).toBe("0.98.0, 0.100.1 and 0.120.0");
  });
});

describe("the command line of an upgrade", () => {
  verifies("upgrade.input", "is one released version and optionally --dry-run", () => {
    expect(readTarget(["0.167.0"])).toEqual({ version: "0.167.0", dryRun: false });
    expect(readTarget(["--dry-run", "1.0.12"])).toEqual({ version: "1.0.12", dryRun: true });
    for (const args of [[], ["--dry-run"]]) expect(() => readTarget(args)).toThrow("A version is missing");
    expect(() => readTarget(["0.1.0", "0.2.0"])).toThrow("One version, not 2");
    expect(() => readTarget(["0.1.0", "--force"])).toThrow("Unknown option --force");
    for (const version of [
      "latest",
      "0.167",
      "^0.167.0",
      "v0.167.0",
      "0.167.0-alpha.1",
      "00.1.0",
      "1.2.3.4",
      "",
      " 1.2.3",
      "1.2.3\n",
    ])
      expect(() => readTarget([version])).toThrow("must be one released version");
  });

  verifies("upgrade.input", "is rejected with the registry's reason", () => {
    const spec = "@openai/codex@9.9.9";
    expect(refusal(spec, '{"error":{"code":"E404","summary":"x"}}')).toContain(
      `The registry does not have ${spec}`,
    );
    expect(refusal(spec, '{"error":{"code":"ECONNREFUSED","summary":"no answer"}}')).toBe(
      `The registry lookup of ${spec} failed: ECONNREFUSED, no answer`,
    );
    for (const stdout of ["", "<html>", "{}", '{"error":{}}'])
      expect(refusal(spec, stdout)).toBe(`The registry lookup of ${spec} failed: npm failed`);
  });
});
