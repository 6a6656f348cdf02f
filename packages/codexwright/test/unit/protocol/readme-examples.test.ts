import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { METHODS } from "codexwright/protocol";
import { EXCHANGES, FROM_SERVER, MESSAGES, NOTIFICATIONS } from "../../spec-003/examples.ts";
import { deviations } from "../../spec-003/shape.ts";
import { DEVIATIONS, NEVER_SENT, UNHEARD } from "../../spec-003/table.ts";

test("all examples of the README are present, and the maps have all their methods", () => {
  const digest = createHash("sha256").update(JSON.stringify(MESSAGES)).digest("hex");
  expect([MESSAGES.length, EXCHANGES.length, digest]).toEqual([
    121,
    52,
    "47b34add68b84e73c4aaaffaca8588e1e2240e9bfb7630045fef90a10504f0d6",
  ]);
  const methods = EXCHANGES.map(({ request }) => request.method);
  const unknown = methods.filter(
    (method) => !(FROM_SERVER.has(method) ? METHODS.serverRequests : METHODS.clientRequests)[method],
  );
  expect(unknown).toEqual([]);
  const told = NOTIFICATIONS.map(({ method = "" }) => method);
  expect(told.filter((method) => !METHODS.serverNotifications[method])).toEqual([]);
});

test("the table of deviations names only existing examples", () => {
  const keys = new Set(EXCHANGES.map(({ key }) => key));
  const told = new Set(NOTIFICATIONS.map(({ method, params }) => `${method} ${JSON.stringify(params)}`));
  const named = [...Object.keys(DEVIATIONS), ...Object.keys(NEVER_SENT)].map((key) =>
    key.replace(/, amended$/, ""),
  );
  expect(named.filter((key) => !keys.has(key) && !told.has(key))).toEqual([]);
  const methods = new Set(NOTIFICATIONS.map(({ method }) => method));
  expect(Object.keys(UNHEARD).filter((method) => !methods.has(method))).toEqual([]);
});

test.each([
  [{ a: 1 }, { a: 2, b: 3 }, []],
  [{ a: null }, { a: { deep: true } }, []],
  [{ a: null }, {}, ["a is missing"]],
  [{ a: { b: "x" } }, { a: { b: 5 } }, ["a.b is number, documented string"]],
  [{ a: { b: "x" } }, { a: null }, ["a is null, documented object"]],
  [{ status: "idle" }, { status: "busy" }, ['status is "busy", documented "idle"']],
  [{ text: "one" }, { text: "another" }, []],
  [{ list: [{ id: "a", more: 1 }] }, { list: [{ id: "b" }] }, ["list[].more is missing"]],
  [{ list: [{ id: "a" }] }, { list: [] }, []],
  [{ list: [] }, { list: {} }, ["list is object, documented array"]],
  [{}, undefined, [" is missing"]],
])("compares %j with %j", (documented, real, expected) => {
  expect(deviations(documented, real)).toEqual(expected);
});
