import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listProblems, writeLists } from "../../scripts/api/lists.ts";
import { publicNames } from "../../scripts/api/names.ts";
import { publicEntries } from "../../scripts/api/public-entries.ts";
import { verifies } from "@codexwright/test-support/verifies";

const INDEX = `
export { Client, Client as default, make, type Options } from "./parts.js";
export type { Hidden, Word } from "./parts.js";
export type * as wire from "./wire.gen.js";
export type { Named } from "./wire.gen.js";
`;

const FILES: Readonly<Record<string, string>> = {
  "packages/one/package.json": JSON.stringify({
    name: "one",
    exports: {
      ".": { types: "./dist/types/index.d.ts", default: "./dist/lib/index.js" },
      "./wire": { types: "./dist/types/wire/index.d.ts" },
      "./package.json": "./package.json",
    },
  }),
  "packages/one/dist/types/index.d.ts": INDEX,
  "packages/one/dist/types/parts.d.ts": `
    export declare class Client {}
    export declare class Hidden {}
    export declare function make(): Client;
    export declare const LIMIT = 1;
    export interface Options { readonly a?: string }
    export type Word = "a" | "b";
  `,
  "packages/one/dist/types/wire.gen.d.ts": `export interface Named {} export interface Other {}`,
  "packages/one/dist/types/wire/index.d.ts": `
    export { LIMIT } from "../parts.js";
    export type * from "../wire.gen.js";
  `,
  "packages/private/package.json": JSON.stringify({
    name: "private",
    private: true,
    exports: { ".": { types: "./dist/types/index.d.ts" } },
  }),
  "packages/command/package.json": JSON.stringify({ name: "command" }),
};

let root = "";

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

const lists = (): string => path.join(root, "docs/api");
const problems = (): string[] => listProblems(lists(), publicNames(publicEntries(root)));

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "codexwright-api-"));
  for (const [file, text] of Object.entries(FILES)) write(file, text);
});

afterEach(() => rmSync(root, { recursive: true }));

describe("the public names", () => {
  test("are read from the entries of published packages", () => {
    expect(publicEntries(root)).toEqual([
      {
        folder: "one",
        key: ".",
        specifier: "one",
        declarations: path.join(root, "packages/one/dist/types/index.d.ts"),
        source: path.join(root, "packages/one/src/index.ts"),
      },
      {
        folder: "one",
        key: "./wire",
        specifier: "one/wire",
        declarations: path.join(root, "packages/one/dist/types/wire/index.d.ts"),
        source: path.join(root, "packages/one/src/wire/index.ts"),
      },
    ]);
  });

  verifies("package.names", "are listed with their kinds; a generated file is one line", () => {
    writeLists(lists(), publicNames(publicEntries(root)));
    expect(readFileSync(path.join(lists(), "one/index.txt"), "utf8").split("\n")).toEqual([
      "Client: class",
      "Hidden: class, type only",
      "Named: interface",
      "Options: interface",
      "Word: type",
      "default: class",
      "make: function",
      "wire: namespace, type only",
      "",
    ]);
    expect(readFileSync(path.join(lists(), "one/wire.txt"), "utf8")).toBe(
      "LIMIT: const\n*: generated wire types\n",
    );
    expect(problems()).toEqual([]);
  });

  verifies("package.names", "that are added, removed or changed are reported", () => {
    writeLists(lists(), publicNames(publicEntries(root)));
    write(
      "packages/one/dist/types/index.d.ts",
      INDEX.replace("make,", "LIMIT,").replace("Hidden, Word", "Word").replace("{ Client,", "{ type Client,"),
    );
    expect(problems()).toEqual([
      "one/index.txt: - Client: class",
      "one/index.txt: - Hidden: class, type only",
      "one/index.txt: - make: function",
      "one/index.txt: + Client: class, type only",
      "one/index.txt: + LIMIT: const",
    ]);
  });

  test("of a new or a removed entry are reported", () => {
    write(path.join("docs", "api/one/gone.txt"), "Client: class\n");
    const found = problems();
    expect(found).toContain("one/gone.txt lists an entry that no package has");
    expect(found).toContain("one/wire.txt: + LIMIT: const");
  });

  test("cannot be read from a package that is not built", () => {
    rmSync(path.join(root, "packages/one/dist/types/index.d.ts"));
    expect(problems).toThrow("is not a built module: npm run build");
  });

  test("cannot be read from a file that is missing", () => {
    rmSync(path.join(root, "packages/one/dist/types/parts.d.ts"));
    expect(problems).toThrow(/has no kind/);
  });
});
