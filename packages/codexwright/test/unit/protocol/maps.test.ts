import { readFileSync } from "node:fs";
import path from "node:path";
import { METHODS } from "codexwright/protocol";
import { describe, expect, test } from "vitest";
import { methodsOf, responseOf } from "../../../../../scripts/protocol/methods.ts";
import { readDeclaration } from "../../../../../scripts/protocol/read-surface.ts";
import { verifies } from "@codexwright/test-support/verifies";

const SOURCE = path.join(import.meta.dirname, "../../../src/protocol");
const methods = readFileSync(path.join(SOURCE, "methods.gen.ts"), "utf8");
const types = readFileSync(path.join(SOURCE, "types.gen.ts"), "utf8");

/** The entries of one generated interface: each method with its type as text. */
function entriesOf(name: string): Map<string, string> {
  const body = new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(methods)?.[1] ?? "";
  return new Map(
    [...body.matchAll(/^ {2}"([^"]+)": (.*);$/gm)].map(([, method = "", type = ""]) => [method, type]),
  );
}

describe("the method maps", () => {
  verifies("protocol.maps", "list the same methods as the runtime table in each direction", () => {
    expect([...entriesOf("ClientRequests").keys()]).toEqual(Object.keys(METHODS.clientRequests));
    expect([...entriesOf("ClientNotifications").keys()]).toEqual(Object.keys(METHODS.clientNotifications));
    expect([...entriesOf("ServerRequests").keys()]).toEqual(Object.keys(METHODS.serverRequests));
    expect([...entriesOf("ServerNotifications").keys()]).toEqual(Object.keys(METHODS.serverNotifications));
  });

  verifies("protocol.maps", "contain both surfaces and the legacy approvals", () => {
    expect(METHODS.clientRequests["turn/start"]?.stability).toBe("stable");
    expect(METHODS.clientRequests["process/spawn"]?.stability).toBe("experimental");
    expect(METHODS.serverRequests).toHaveProperty("execCommandApproval");
    expect(METHODS.serverRequests).toHaveProperty("applyPatchApproval");
  });
});

describe("responses", () => {
  verifies(
    "protocol.responses",
    "have declared types for every request, and every response type belongs to a request",
    () => {
      const results = [...entriesOf("ClientRequests"), ...entriesOf("ServerRequests")].map(
        ([method, type]) => {
          const result = /; result: P\.(\w+Response) \}$/.exec(type)?.[1];
          expect([method, result]).toEqual([method, expect.any(String)]);
          return result;
        },
      );
      const declared = [...types.matchAll(/^export type (\w+Response) =(.*)$/gm)];
      expect(new Set(declared.map(([, name]) => name))).toEqual(new Set(results));
      for (const [line] of declared) expect(line).not.toMatch(/= (unknown|any);$/);
    },
  );

  verifies("protocol.responses", "stop the generator if neither a rule nor a table resolves a type", () => {
    const text = 'export type ClientRequest = { "method": "new/thing", id: number, params: undefined, };\n';
    const surface = new Map([["ClientRequest", readDeclaration("ClientRequest", text)]]);
    const resolve = (): string[] =>
      methodsOf(surface, "clientRequests").map((method) => responseOf(method, surface));
    expect(resolve).toThrow("new/thing: no response type");
  });
});

describe("the generated types", () => {
  test("use no any and no bigint", () => {
    const code = types.replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
    expect(code).not.toMatch(/\bany\b|\bbigint\b/);
  });
});
