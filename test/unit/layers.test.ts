import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { check, TABLE, type Repository, type Rule, type Table } from "../layers/check.ts";
import { importsOf } from "../layers/imports.ts";
import { readRepository } from "../layers/read.ts";
import { distanceOf, WALKS } from "../layers/walks.ts";
import { architecturePage } from "../../scripts/architecture.ts";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");
const LIBRARY = "packages/codexwright/src";
const repository = readRepository(ROOT);

/** The repository with these lines added to a file, which is created if it does not exist. */
function planted(file: string, ...lines: readonly string[]): Repository {
  const { sources } = repository;
  const before = sources.find((source) => source.file === file)?.text ?? "";
  const rest = sources.filter((source) => source.file !== file);
  return { ...repository, sources: [...rest, { file, text: `${lines.join("\n")}\n${before}` }] };
}

function rulesBroken(changed: Repository, table?: Table): Rule[] {
  return check(changed, table).map(({ rule }) => rule);
}

verifies(["layers", "cli.layers"], "packages, layers and rooms import only what the table allows", () => {
  expect(repository.sources.length).toBeGreaterThan(500);
  expect(repository.forUsers.length).toBeGreaterThan(80);
  expect(check(repository)).toEqual([]);
});

/** One violation of each kind, with the file that contains it. */
const PLANTED: readonly (readonly [Rule, string, string])[] = [
  ["undeclared package", "packages/other/src/a.ts", ""],
  ["undeclared folder", `${LIBRARY}/other/a.ts`, ""],
  ["undeclared folder", `${LIBRARY}/client/other/a.ts`, ""],
  ["direction", `${LIBRARY}/rpc/call.ts`, 'import { stdio } from "../transports/stdio.ts";'],
  ["direction", `${LIBRARY}/rpc/call.ts`, 'import type { Turn } from "../client/index.ts";'],
  ["direction", `${LIBRARY}/rpc/call.ts`, 'const { stdio } = await import("../transports/stdio.ts");'],
  ["direction", `${LIBRARY}/rpc/call.ts`, 'type Turn = import("../client/index.ts").Turn;'],
  ["direction", `${LIBRARY}/rpc/call.ts`, 'export * from "../protocol/index.ts";'],
  ["direction", `${LIBRARY}/client/state/fold.ts`, 'import type { Core } from "../connection/core.ts";'],
  ["direction", `${LIBRARY}/client/services/mcp/a.ts`, 'import { a } from "../realtime/index.ts";'],
  ["direction", `${LIBRARY}/client/turn/turn.ts`, 'import type { A } from "../internals.ts";'],
  ["direction", `${LIBRARY}/client/internals.ts`, 'import { FlatClient } from "./spec-002/flat-client.ts";'],
  ["face", `${LIBRARY}/agent/run/a.ts`, 'import type { Core } from "../../client/connection/core.ts";'],
  [
    "out of the package",
    "packages/cli/src/exec.ts",
    'import { a } from "../../codexwright/src/rpc/index.ts";',
  ],
  ["package entry", "packages/cli/src/exec.ts", 'import { record } from "codexwright/internal";'],
  ["package entry", "packages/gateway/src/gateway.ts", 'import { reply } from "@codexwright/testing";'],
  ["package entry", "packages/gateway/src/gateway.ts", 'import type { Agent } from "codexwright/agent";'],
  ["dependency", `${LIBRARY}/rpc/call.ts`, 'import { z } from "zod";'],
  ["dependency", "packages/gateway/src/gateway.ts", 'import chalk from "chalk";'],
  ["node module", `${LIBRARY}/agent/run/a.ts`, 'import { readFile } from "node:fs/promises";'],
  ["node module", `${LIBRARY}/agent/run/a.ts`, 'const fs = await import("fs/promises");'],
  ["node global", `${LIBRARY}/agent/run/a.ts`, "const cwd = process.cwd();"],
  ["not lazy", "packages/cli/src/exec.ts", 'const { reply } = await import("@codexwright/testing");'],
  ["not lazy", "packages/cli/src/shared/connect.ts", 'import { reply } from "@codexwright/testing";'],
  ["not lazy", "packages/cli/src/shared/connect.ts", 'import { demo } from "./demo-script.ts";'],
];

for (const [rule, file, line] of PLANTED)
  verifies(["layers", "cli.layers"], `found: ${rule}, ${file}: ${line}`, () => {
    const [first, ...others] = check(planted(file, line));
    expect(first).toEqual({ rule, what: expect.stringContaining(file) as string });
    // An import in the wrong direction also creates cycles, which may contain a known one.
    if (rule !== "direction") expect(others).toEqual([]);
  });

verifies("layers", "reports cycles of values, of types, and of rooms", () => {
  const rpc = `${LIBRARY}/rpc`;
  const values = planted(`${rpc}/a.ts`, 'import "./b.ts";');
  const both = {
    ...values,
    sources: [...values.sources, { file: `${rpc}/b.ts`, text: 'await import("./a.ts");' }],
  };
  expect(check(both)).toEqual([{ rule: "value cycle", what: `${rpc}/a.ts, ${rpc}/b.ts` }]);
  const type = { file: `${rpc}/b.ts`, text: 'import { type A } from "./a.ts";' };
  expect(rulesBroken({ ...values, sources: [...values.sources, type] })).toEqual(["type cycle"]);
  // The table forbids an import back, so this test allows one.
  const table = withClientRoom("connection", ["turn"]);
  const back = planted(`${LIBRARY}/client/connection/a.ts`, 'import type { A } from "../turn/turn.ts";');
  expect(rulesBroken(back, table)).toEqual(["room cycle"]);
});

verifies("layers", "reports a row of the table that no import uses", () => {
  expect(rulesBroken(repository, withClientRoom("state", ["connection"]))).toEqual(["unused row"]);
  const gone = { in: LIBRARY, parts: ["a.ts", "b.ts"], why: "it was" };
  expect(rulesBroken(repository, { ...TABLE, typeCycles: [...TABLE.typeCycles, gone] })).toEqual([
    "unused row",
  ]);
});

verifies("layers", "reports an example or a page that imports an internal entry", () => {
  const text = '# Page\n\n```ts\nimport { a } from "codexwright/internal/node";\n```\n';
  for (const file of ["examples/a.ts", "packages/cli/README.md"])
    expect(rulesBroken({ ...repository, forUsers: [{ file, text }] })).toEqual(["internal for users"]);
});

test("distinguishes value, type and dynamic imports", () => {
  const text = `
import a, { type B } from "./b.ts";
import { type C, type D } from "./c.ts";
import type { E } from "e";
export {
  f,
} from "../f.ts";
import "g";
/**
 * import { no } from "./no.ts";
 * await import("./no.ts");
 */
const h = await import("./h.ts"); // "import"
type I = import("./i.ts").I;
type J = typeof import("./j.ts");
declare module "k" {
  import type { L } from "l";
}
`;
  expect(
    importsOf({ file: "x/y.ts", text }).map(({ kind, target, specifier }) => [kind, target ?? specifier]),
  ).toEqual([
    ["value", "x/b.ts"],
    ["type", "x/c.ts"],
    ["type", "e"],
    ["value", "f.ts"],
    ["value", "g"],
    ["type", "l"],
    ["dynamic", "x/h.ts"],
    ["type", "x/i.ts"],
    ["type", "x/j.ts"],
  ]);
});

const page = readFileSync(path.join(ROOT, "ARCHITECTURE.md"), "utf8");

verifies(
  "layers",
  "ARCHITECTURE.md has the current table and walks; `npm run architecture -- --write` writes them",
  () => {
    expect(architecturePage(page)).toBe(page);
    expect(() => architecturePage(page.replace("<!-- /rooms -->", ""))).toThrow("<!-- /rooms -->");
  },
);

verifies("layers", "ARCHITECTURE.md has a section for each layer and each package", () => {
  const [, sections = ""] = page.split("\n## The layers\n");
  const titles = Array.from(sections.matchAll(/^### (.*)$/gm), ([, title]) => title ?? "");
  const { codexwright, ...others } = TABLE.packages;
  const packages = Object.keys(others).map((name) => path.posix.basename(name));
  expect(new Set(titles)).toEqual(new Set([...Object.keys(codexwright?.rooms ?? {}), ...packages]));
  expect(titles.length).toBe(new Set(titles).size);
});

verifies("layers", "the walks name existing files, each once", () => {
  for (const { steps, package: folder } of WALKS) {
    const files = steps.map(({ file }) => file);
    const source = path.join(ROOT, "packages", folder, "src");
    expect(files.filter((file) => !existsSync(path.join(source, file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  }
});

test("a walk crosses layers when control passes to another layer, not when a file calls another and continues", () => {
  const steps = [
    { file: "rpc/a.ts", does: "" },
    { file: "client/b.ts", does: "", asked: true as const },
    { file: "rpc/c.ts", does: "" },
    { file: "client/d.ts", does: "" },
    { file: "client/e.ts", does: "", asked: true as const },
  ];
  expect(distanceOf({ title: "", note: "", package: "codexwright", steps })).toEqual({
    files: 5,
    crossings: 1,
    questions: 1,
  });
});

/** The table with other imports for one room of the client. */
function withClientRoom(name: string, imports: readonly string[]): Table {
  const library = TABLE.packages["codexwright"];
  const client = library?.rooms?.["client"];
  if (library === undefined || client === undefined) throw new Error("The table has no client.");
  const rooms = { ...client.rooms, [name]: { ...client.rooms?.[name], imports } };
  const layers = { ...library.rooms, client: { ...client, rooms } };
  return { ...TABLE, packages: { ...TABLE.packages, codexwright: { ...library, rooms: layers } } };
}
