import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { classify } from "../../../src/rpc/message.ts";

verifies("rpc.classify", "classifies a method with an id as a request, whatever the value of the id", () => {
  for (const id of [0, -5, 9_007_199_254_740_992, "", "abc"]) {
    expect(classify({ id, method: "item/tool/call", params: {} })).toMatchObject({ kind: "request", id });
  }
});

verifies("rpc.classify", "classifies a method without an id, or with a null id, as a notification", () => {
  expect(classify({ method: "turn/started" })).toMatchObject({
    kind: "notification",
    method: "turn/started",
  });
  expect(classify({ method: "turn/started", id: null })).toMatchObject({ kind: "notification" });
});

verifies(
  "rpc.classify",
  "classifies an id without a method as a response, with a result, an error or neither",
  () => {
    expect(classify({ id: 0, result: {} })).toMatchObject({ kind: "response", id: 0 });
    expect(classify({ error: { code: -1, message: "no" }, id: "0" })).toMatchObject({
      kind: "response",
      id: "0",
    });
    expect(classify({ id: 3 })).toMatchObject({ kind: "response", id: 3 });
  },
);

verifies("rpc.classify", "classifies anything else as malformed, with a reason", () => {
  for (const value of [
    null,
    1,
    "x",
    [],
    [{ id: 0 }],
    {},
    { method: 7 },
    { id: {} },
    { id: true, method: "x" },
  ]) {
    expect(classify(value)).toMatchObject({ kind: "malformed", why: expect.any(String) });
  }
});
