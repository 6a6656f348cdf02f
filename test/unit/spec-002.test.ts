import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import * as entry from "codexwright";
import {
  compileExamples,
  compileUseOfDocument,
  compileUseOfPackage,
  fileOf,
  names,
  type Faults,
} from "../spec-002/compile.ts";
import { copies, EXAMPLES, exampleText } from "../spec-002/examples.ts";
import { verifies } from "@codexwright/test-support/verifies";

const messages = (faults: Faults, file: string): string[] =>
  (faults.get(file) ?? []).map(({ code, message }) => `TS${code}: ${message}`);

/** Compiling takes long on a loaded machine. */
const SLOW = { timeoutMs: 120_000 };

test("the folder has a verbatim copy of every example of docs/spec/spec-002.md, and no other files", () => {
  const listed = EXAMPLES.map(({ file, sha256 }) => ({ file, sha256 }));
  const byName = (a: { file: string }, b: { file: string }): number => a.file.localeCompare(b.file);
  expect(copies().toSorted(byName)).toEqual(listed.toSorted(byName));
});

test("docs/spec/spec-002.md lists exactly the methods, events and types of the examples", () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/spec/spec-002.md"), "utf8");
  // The list of types ends at the first paragraph after it.
  const [, types = ""] = /^## Types\n\n((?:(?:- |  ).*\n)+)/m.exec(page) ?? [];
  const found = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, name = ""]) => name).toSorted();
  const examples = ["client", "run-turn", "run-review"].map((name) => exampleText(`${name}.ts.txt`));
  expect(found(page, /^\| `(\w+)\(/gm)).toEqual(found(examples.join(""), /^ *async (\w+)\(/gm));
  // The document names the event `error` in its text only.
  const events = found(exampleText("events.ts.txt"), /client\.on\("([\w:]+)"/g);
  expect(found(page, /^\| `([\w:]+)` *\|/gm)).toEqual(["error", ...events]);
  const named = found(types, /`([A-Z]\w+)`/g);
  expect(named).toEqual(
    names()
      .filter((name) => name !== "CodexClientOptions")
      .toSorted(),
  );
});

verifies(
  "spec-002.examples",
  "every example behind docs/spec/spec-002.md compiles with the names of the main entry",
  () => {
    const faults = compileExamples();
    for (const example of EXAMPLES) {
      const file = fileOf(example);
      const codes = (faults.get(file) ?? []).map(({ code }) => code);
      const own = Object.entries(example.faults ?? {}).flatMap(([code, times]) =>
        Array.from({ length: times }, () => Number(code)),
      );
      // The document's own errors are listed. The compiler must not report others.
      expect({ file, codes, messages: messages(faults, file) }).toMatchObject({ file, codes: own });
    }
    for (const file of ["globals.d.ts", "use.ts", "tsconfig.json"])
      expect(messages(faults, file)).toEqual([]);
  },
  SLOW,
);

verifies(
  "spec-002.examples",
  "a program written for the document's declarations also compiles with the package",
  () => {
    expect(messages(compileUseOfDocument(), "use.ts")).toEqual([]);
    expect(messages(compileUseOfPackage(), "use.ts")).toEqual([]);
  },
  SLOW,
);

test("the client is both a named and the default export", () => {
  expect(entry.default).toBe(entry.CodexClient);
});
