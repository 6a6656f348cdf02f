import { expect } from "vitest";
import type { WireMessage } from "codexwright/rpc";
import { Endpoint } from "codexwright/server";
import { PARAMS } from "../../src/endpoint/params/params.gen.ts";
import { verifies } from "@codexwright/test-support/verifies";
import type { LineClient } from "@codexwright/test-support/line-client";
import { RawClient } from "../unit/endpoint/raw-client.ts";
import { DIFFERENCES, NAMED } from "./endpoint-cases.ts";
import { corpus, type Case } from "./params-corpus.ts";
import { realWire } from "./real-wire.ts";
import { PINNED } from "@codexwright/test-support/world";

/** Fewer requests than the real server can queue. */
const AT_ONCE = 64;

/** A server with every method of the real one. */
function everything(): Endpoint {
  const methods = Object.keys(PARAMS).filter((method) => method !== "initialize");
  return new Endpoint({ handlers: Object.fromEntries(methods.map((method) => [method, () => ({})])) });
}

/**
 * Returns a server's answers to requests that are sent before the handshake. The server parses each request first and
 * answers "Not initialized" if it can parse it, so none is ever executed.
 */
async function answers(client: LineClient, cases: readonly Case[]): Promise<WireMessage["error"][]> {
  const found: WireMessage["error"][] = [];
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const asked = cases.slice(at, at + AT_ONCE).map(({ method, params }) => client.ask(method, params));
    for (const { error } of await Promise.all(asked)) found.push(error);
  }
  return found;
}

verifies(
  "endpoint.params",
  `${NAMED.length} named methods reject missing params, a missing field, a wrong type and an unknown word as 0.166.0 does`,
  async () => {
    await using real = await realWire();
    await using server = everything();
    const ours = new RawClient(server);
    expect(NAMED.length).toBeGreaterThanOrEqual(20);
    for (const [method, missing, wrong, unknown] of NAMED) {
      const cases = [undefined, missing, wrong, unknown].map((params) => ({ method, params }));
      const theirs = await answers(real.client, cases);
      expect(await answers(ours, cases)).toEqual(theirs);
      const starts = ["missing field `params`", "missing field", "invalid type", "unknown variant"];
      for (const [index, start] of starts.entries()) {
        expect(theirs[index]?.code).toBe(-32600);
        expect(theirs[index]?.message).toContain(`Invalid request: ${start}`);
      }
    }
  },
  PINNED,
);

verifies(
  "endpoint.params",
  "all methods answer valid and invalid values of every param as 0.166.0 does",
  async () => {
    await using real = await realWire();
    await using server = everything();
    const ours = new RawClient(server);
    // `initialize` is left out, because an accepted one would be the handshake.
    const cases = [...corpus()].filter(({ method }) => method !== "initialize");
    expect(cases.length).toBeGreaterThan(15_000);
    const theirs = await answers(real.client, cases);
    const different = new Set<string>();
    for (const [index, error] of (await answers(ours, cases)).entries()) {
      const wanted = theirs[index];
      if (error?.code === wanted?.code && error?.message === wanted?.message) continue;
      const request = cases[index];
      different.add(`${request?.method} ${JSON.stringify(request?.params)}`);
      expect([error?.code, error?.message.startsWith("Invalid request: ")]).toEqual([wanted?.code, true]);
    }
    expect([...different].toSorted()).toEqual(DIFFERENCES.map(({ request }) => request).toSorted());
  },
  { ...PINNED, timeoutMs: 120_000 },
);

verifies(
  "endpoint.params",
  "answers an unknown method with the same list as 0.166.0",
  async () => {
    await using real = await realWire();
    await using server = everything();
    const ours = new RawClient(server);
    for (const method of ["nope", "", "thread/Start", "initialized"]) {
      const [theirs] = await answers(real.client, [{ method, params: {} }]);
      expect(await answers(ours, [{ method, params: {} }])).toEqual([theirs]);
    }
  },
  PINNED,
);
