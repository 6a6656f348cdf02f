import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { EngineServer } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import { METHODS } from "codexwright/protocol";
import { verifies } from "@codexwright/test-support/verifies";
import { temporaryPlace } from "../node/place.ts";
import { completed, message, modelOf } from "../ports.ts";
import { RawClient, type Wire } from "../raw-client.ts";
import { tables } from "./page.ts";
import { ROWS } from "./rows.ts";

const PAGE = path.join(import.meta.dirname, "../../../../../docs/engine-methods.md");
const START = "<!-- methods -->\n\n";
const rows = Object.entries(ROWS);

verifies(
  "engine.methods.table",
  "each generated method has a row, and no row is about another method",
  () => {
    expect(rows.map(([method]) => method).toSorted()).toEqual(Object.keys(METHODS.clientRequests).toSorted());
  },
);

verifies(
  "engine.methods.table",
  "the running engine answers each method as its row says",
  async () => {
    await using place = temporaryPlace();
    await using server = new EngineServer(
      await engineDefaults({
        provider: modelOf([...message("m1", "done"), completed]),
        home: place.home,
        cwd: place.work,
        env: { HOME: place.home },
      }),
    );
    const client = await RawClient.connect(server);
    const thread = await client.startThread();
    await client.startTurn(thread, "go");
    await client.told("turn/completed");
    const known = listOf(await client.call("no/such/method"));

    for (const [method, row] of rows) {
      const params = JSON.parse(
        JSON.stringify(row.params ?? {})
          .replaceAll("$thread", thread)
          .replaceAll("$work", place.work),
      ) as object;
      const { result, error } = await client.call(method, params);
      const said = `${method}: ${JSON.stringify(error ?? result)}`;
      expect.soft(known.has(method), method).toBe(row.state === "done" || row.answers !== undefined);
      if (row.rejects) {
        expect.soft(error?.message, said).toMatch(row.rejects);
        expect.soft(error?.message, said).not.toMatch(/^Invalid request/);
      } else if (row.state === "done" || row.answers !== undefined) {
        expect.soft(error, said).toBeUndefined();
      }
      if (row.answers === "an empty list" || row.answers === "nothing")
        expect.soft(isEmpty(result), said).toBe(true);
      if (row.answers === "disabled") expect.soft(result, said).toMatchObject({ status: "disabled" });
      if (row.state === "refused" && row.answers === undefined) {
        expect.soft(error, said).toMatchObject({ code: -32600, data: { code: "not_supported" } });
      } else {
        expect.soft(said).not.toContain("not_supported");
      }
      if (row.state === "later" && row.answers === undefined) {
        expect.soft(error, said).toMatchObject({ code: -32600 });
        expect.soft(error?.message, said).toContain(`unknown variant \`${method}\``);
      }
    }
    expect(server.failures).toEqual([]);
  },
  { timeoutMs: 60_000 },
);

verifies(
  "engine.methods.refused",
  "refuses a method before the handshake, and whatever its params are",
  async () => {
    await using place = temporaryPlace();
    const options = { provider: modelOf(), home: place.home, cwd: place.work };
    await using server = new EngineServer(await engineDefaults(options));
    const client = await RawClient.connect(server);
    for (const params of [{}, { reloadAll: "x" }, { pluginName: 5 }]) {
      const { error } = await client.call("plugin/install", params);
      expect(error).toEqual({
        code: -32600,
        message: "plugin/install is not supported: this server has no apps and no plugins",
        data: { code: "not_supported" },
      });
    }
    expect(listOf(await client.call("no/such/method")).has("plugin/install")).toBe(false);
    const login = await client.call("account/login/start", { type: "chatgpt" });
    expect(login.error).toMatchObject({ code: -32600, data: { code: "not_supported" } });
  },
);

verifies("engine.methods.table", "docs/engine-methods.md has the table", () => {
  const page = readFileSync(PAGE, "utf8");
  const at = page.indexOf(START) + START.length;
  const expected = `${page.slice(0, at)}${tables()}\n`;
  // Set this variable to write the page.
  if (process.env["CODEXWRIGHT_WRITE_METHODS"] !== undefined) writeFileSync(PAGE, expected);
  expect(readFileSync(PAGE, "utf8")).toBe(expected);
});

/** The methods that the error for an unknown method lists. */
function listOf({ error }: Wire): ReadonlySet<string> {
  return new Set([...(error?.message ?? "").matchAll(/`([^`]+)`/g)].slice(1).map(([, name = ""]) => name));
}

/** Whether an answer has lists, and all of them are empty; or says that there is nothing. */
function isEmpty(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  return Object.values(result).every(
    (value) =>
      value === null ||
      value === false ||
      (Array.isArray(value) && value.every((each) => isEmpty(each) || isNamed(each))),
  );
}

/** A part of a list of folders: it names the folder, and has nothing in it. */
function isNamed(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("cwd" in value)) return false;
  const { cwd: _, ...rest } = value;
  return isEmpty(rest);
}
