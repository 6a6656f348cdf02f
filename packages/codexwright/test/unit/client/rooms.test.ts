import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const CLIENT = path.resolve(import.meta.dirname, "../../../src/client");

/** Which rooms of the client the files of a room may import, values and types alike. Every room may import the errors. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  state: [],
  connection: [],
  turn: ["connection", "state"],
  requests: ["connection"],
  services: ["connection", "requests"],
  thread: ["connection", "services", "state", "turn"],
  review: ["connection", "thread", "turn"],
  "spec-002": ["connection", "review", "services", "thread", "turn"],
};

/** The files that may import specification 002: the class that is composed with it, and the entry. */
const KNOW_SPEC_002 = new Set(["client.ts", "index.ts"]);

/** The one cycle: the type of every error's code is read from the entry, which exports that type. */
const CYCLE = ["error-code.ts", "index.ts"];

/** For each file of the client, the files of the client that it imports. */
function importsByFile(): Map<string, string[]> {
  const files = readdirSync(CLIENT, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(CLIENT, file), "utf8");
      const targets = Array.from(
        text.matchAll(/(?:\bfrom\s+|\bimport\(\s*)"(\.[^"\n]+)"/g),
        ([, specifier = ""]) => path.join(path.dirname(file), specifier),
      );
      return [unix(file), targets.map(unix).filter((target) => !target.startsWith(".."))];
    }),
  );
}

function unix(file: string): string {
  return file.replaceAll(path.sep, "/");
}

/** The folder of a file; for a file beside the rooms, the file. */
function roomOf(file: string): string {
  return file.split("/")[0] ?? "";
}

/** Whether a file imports itself by way of others. */
function isInCycle(file: string, imports: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(imports.get(file) ?? [])];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each === file) return true;
    if (seen.has(each)) continue;
    seen.add(each);
    open.push(...(imports.get(each) ?? []));
  }
  return false;
}

verifies("layers", "imports between the rooms of the client point the way the table says", () => {
  const wrong = [...importsByFile()].flatMap(([file, targets]) =>
    targets
      .filter((target) => roomOf(target) !== roomOf(file) && target !== "errors.ts")
      .filter((target) => {
        if (roomOf(target) === "spec-002") return !KNOW_SPEC_002.has(file);
        return file.includes("/") && !ROOMS[roomOf(file)]?.includes(roomOf(target));
      })
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

verifies("layers", "no file of the client imports itself by way of others, but for one type", () => {
  const imports = importsByFile();
  // Without these the search would be blind.
  expect(imports.get("client.ts")).toContain("internals.ts");
  expect(imports.get("internals.ts")).toContain("late.ts");
  const found = [...imports.keys()].filter((file) => isInCycle(file, imports));
  expect(found.toSorted()).toEqual(CYCLE);
});
