import { describe, expect, test } from "vitest";
import { openUnion } from "../../../../../scripts/protocol/open-unions.ts";
import { withSenderOptionals } from "../../../../../scripts/protocol/sender-optional.ts";
import type { Surface } from "../../../../../scripts/protocol/type-node.ts";
import { parseType } from "../../../../../scripts/protocol/type-parse.ts";
import { printType } from "../../../../../scripts/protocol/type-print.ts";
import { verifies } from "@codexwright/test-support/verifies";

/** A surface with one type, `X`, that is used in the given directions. */
function open(text: string, ...directions: readonly ("toClient" | "toServer")[]): string | undefined {
  const opened = openUnion("X", surfaceOf(text), travel(...directions));
  return opened && printType(opened.type);
}

function surfaceOf(text: string): Surface {
  return new Map([["X", { key: "X", name: "X", doc: undefined, type: parseType(text) }]]);
}

function travel(...directions: readonly string[]): { toClient: Set<string>; toServer: Set<string> } {
  const has = (direction: string): Set<string> => new Set(directions.includes(direction) ? ["X"] : []);
  return { toClient: has("toClient"), toServer: has("toServer") };
}

const TAGGED = '{ "type": "a", id: string, } | { "type": "b", id: string, n: number, }';

describe("opening a union", () => {
  verifies("protocol.open-unions", "adds a member with the tag and the fields that all members share", () => {
    const opened =
      '{ type: "a"; id: string } | { type: "b"; id: string; n: number } | { type: Unknown; id: string }';
    expect(open(TAGGED, "toClient")).toBe(opened);
    expect(open(TAGGED, "toClient", "toServer")).toBe(opened);
    expect(open(`{ at: number } & (${TAGGED})`, "toClient")).toBe(`{ at: number } & (${opened})`);
  });

  verifies("protocol.open-unions", "does not open types that only clients send", () => {
    expect(open(TAGGED, "toServer")).toBeUndefined();
    expect(open('"a" | "b"', "toServer")).toBeUndefined();
  });

  verifies(
    "protocol.open-unions",
    "opens names that only the server sends, and replaces upstream's catch-alls",
    () => {
      expect(open('"a" | "b"', "toClient")).toBe('"a" | "b" | Unknown');
      expect(open('"a" | "b"', "toClient", "toServer")).toBeUndefined();
      expect(open('"a" | { "b": { n: number } } | string | { [key: string]: unknown }', "toClient")).toBe(
        '"a" | { b: { n: number } } | Unknown | { "(unknown)": unknown }',
      );
    },
  );

  verifies("protocol.open-unions", "does not open unions without a tag", () => {
    expect(open("string | number", "toClient")).toBeUndefined();
    expect(open("{ a: string } | { b: string }", "toClient")).toBeUndefined();
  });
});

describe("fields with server defaults", () => {
  test("are optional only in types that a client sends", () => {
    const surface = surfaceOf('{ "type": "a", id: string, n: number, }  | { "type": "b" }');
    const a = { properties: { type: { enum: ["a"] }, id: {}, n: {} }, required: ["type", "id"] };
    const schemas = new Map([["X", { oneOf: [a] }]]);
    const loosened = (...directions: string[]): string =>
      printType(withSenderOptionals(surface, schemas, travel(...directions)).get("X")!.type);
    expect(loosened("toServer")).toBe('{ type: "a"; id: string; n?: number } | { type: "b" }');
    expect(loosened("toClient")).toBe('{ type: "a"; id: string; n: number } | { type: "b" }');
  });
});

describe("reading types", () => {
  test.each([
    ["{ [key in string]?: Array<number> }", "{ [key in string]?: Array<number> }"],
    ["{ a?: string | null | null, }", "{ a?: string | null }"],
    ["[string, unknown[]]", "[string, Array<unknown>]"],
    ['("a" | "b") & C', '("a" | "b") & C'],
    ["{}", "Record<string, never>"],
  ])("%s", (text, printed) => {
    expect(printType(parseType(text))).toBe(printed);
  });

  test("rejects forms that it does not know", () => {
    expect(() => parseType("() => void")).toThrow("Cannot read type");
    expect(() => parseType("A extends B ? C : D")).toThrow("Trailing type text");
  });
});
