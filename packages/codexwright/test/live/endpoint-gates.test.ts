import { expect } from "vitest";
import { METHODS } from "codexwright/protocol";
import { Endpoint } from "codexwright/server";
import { PARAMS, TYPES } from "../../src/endpoint/params/params.gen.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { rawClient } from "../unit/endpoint/raw-client.ts";
import { least, some, type Case } from "./params-corpus.ts";
import { realWire } from "./real-wire.ts";
import { PINNED } from "@codexwright/test-support/world";

/** Returns a request for each experimental method and field. All of them are rejected and none is executed. */
function gated(): Case[] {
  return Object.entries(METHODS.clientRequests).flatMap(([method, info]) => {
    const type = PARAMS[method] ?? "";
    if (info.stability === "experimental") return [{ method, params: some(type) }];
    const shape = TYPES[type];
    if (typeof shape !== "object" || !("struct" in shape)) return [];
    return Object.entries(shape.struct).flatMap(([field, fieldType]) => {
      const name = field.replace(/[?=]$/, "");
      const gate = info.fields[name];
      if (!Array.isArray(gate) || gate[1] !== "experimental") return [];
      return [{ method, params: { ...(least(type) as object), [name]: some(fieldType) } }];
    });
  });
}

const GRANULAR = { granular: { sandbox_approval: true, rules: true, mcp_elicitations: true } };

/** Requests with experimental values. If a request has several, the error names the first one that the server finds. */
const VALUES: readonly Case[] = [
  { method: "thread/start", params: { dynamicTools: [], approvalPolicy: GRANULAR } },
  { method: "thread/start", params: { dynamicTools: [], runtimeWorkspaceRoots: [] } },
  { method: "thread/resume", params: { threadId: "t", approvalPolicy: GRANULAR } },
  { method: "thread/fork", params: { threadId: "t", approvalPolicy: GRANULAR } },
  { method: "turn/start", params: { threadId: "t", input: [], approvalPolicy: GRANULAR } },
  { method: "thread/list", params: { projectId: null } },
  {
    method: "account/login/start",
    params: { type: "chatgptAuthTokens", accessToken: "a", chatgptAccountId: "b" },
  },
  { method: "account/login/start", params: { type: "amazonBedrock", apiKey: "k", region: "r" } },
];

verifies(
  "endpoint.gates",
  "rejects every experimental method, field and value with the text of 0.166.0",
  async () => {
    await using real = await realWire();
    await real.client.hello();
    const methods = Object.keys(PARAMS).filter((method) => method !== "initialize");
    await using server = new Endpoint({
      handlers: Object.fromEntries(methods.map((method) => [method, () => ({})])),
    });
    const ours = await rawClient(server);
    const cases = [...gated(), ...VALUES];
    expect(cases.length).toBeGreaterThan(100);
    for (const { method, params } of cases) {
      const { error } = await real.client.ask(method, params);
      expect(error?.message).toMatch(/ requires experimentalApi capability$/);
      expect((await ours.ask(method, params)).error).toEqual(error);
    }
  },
  PINNED,
);
