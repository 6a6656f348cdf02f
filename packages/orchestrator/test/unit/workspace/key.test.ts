import fc from "fast-check";
import { expect } from "vitest";
import { workspaceKey } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";

const HASHED = /^[A-Za-z0-9._-]*--[0-9a-f]{16}$/;

verifies(
  ["fleet.workspace.key", "symphony.17.2.distinct"],
  "identifiers that need no change are their own key",
  () => {
    for (const plain of [
      "ABC-123",
      "GH-7",
      "a",
      "A.b_C-d",
      "-",
      "a--b",
      "ABC--1",
      "x".repeat(250),
      "x".repeat(255),
    ])
      expect(workspaceKey(plain)).toBe(plain);
  },
);

verifies("fleet.workspace.key", "all other identifiers get a hash", () => {
  const odd = [
    "",
    ".",
    "..",
    "...",
    "a.",
    ".git",
    ".unfinished",
    "a/b",
    "../a",
    "/etc",
    "a b",
    "a\0b",
    "ä",
    "🦊",
  ];
  const devices = ["CON", "nul", "Aux.txt", "com1", "LPT9.a.b"];
  const long = ["x".repeat(256), "x".repeat(10_000_000), "é".repeat(200)];
  for (const identifier of [...odd, ...devices, ...long, "\ud800", "ABC--0123456789abcdef"]) {
    const key = workspaceKey(identifier);
    expect(key).toMatch(HASHED);
    expect(key).not.toMatch(/^\./);
    expect(key.length).toBeLessThanOrEqual(255);
    expect(key.split("--")[0]).not.toMatch(/^(con|nul|aux|com\d|lpt\d)(\.|$)/i);
  }
});

verifies("fleet.workspace.key", "every text has a key that is safe as a name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (identifier) => {
      const key = workspaceKey(identifier);
      expect(key).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
      expect(key.length).toBeLessThanOrEqual(255);
      expect(workspaceKey(identifier)).toBe(key);
    }),
  );
});

verifies(
  ["fleet.workspace.distinct", "symphony.17.2.distinct"],
  "identifiers that look alike have different keys",
  () => {
    const alike = [
      "a/b",
      "a b",
      "a_b",
      "a\\b",
      "a\0b",
      "a\nb",
      "aäb",
      "a🦊b",
      "a\ud800b",
      "a\ud801b",
      "a\udc00b",
      "a\ufffdb",
    ];
    const long = ["x", "y", "z"].map((end) => `${"x".repeat(300)}${end}`);
    const all = [...alike, ...long, "", "_", ".", "..", "._", "_.", "__"];
    // The second round attacks with the keys of the first.
    const keys = all.map((each) => workspaceKey(each));
    const attacked = [...new Set([...all, ...keys])];
    expect(new Set(attacked.map((each) => workspaceKey(each))).size).toBe(attacked.length);
  },
);

verifies(
  "fleet.workspace.distinct",
  "no identifier is the key of a different identifier that was changed",
  () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "B", "/", ".", "_", "-", " ", "é", "\ud800"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        fc.pre(one !== other);
        expect(workspaceKey(one)).not.toBe(workspaceKey(other));
        expect(workspaceKey(workspaceKey(one)) === workspaceKey(one)).toBe(workspaceKey(one) === one);
      }),
      { numRuns: 2_000 },
    );
  },
);
