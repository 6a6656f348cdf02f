import fc from "fast-check";
import { expect } from "vitest";
import { Connection, type ConnectionHandlers, type Transport, type TransportSink } from "codexwright/rpc";
import { verifies } from "@codexwright/test-support/verifies";
import { CASES, FUZZ } from "./cases.ts";
import { classify } from "../../../src/rpc/message.ts";

const id = fc.oneof(
  fc.integer(),
  fc.string({ maxLength: 3 }),
  fc.constantFrom(0, -0, "", null, 1.5, true, [], {}),
);
const members = fc.record(
  {
    id,
    method: fc.oneof(fc.constantFrom("turn/started", "", "__proto__"), fc.jsonValue({ maxDepth: 0 })),
    params: fc.jsonValue({ maxDepth: 1 }),
    result: fc.jsonValue({ maxDepth: 1 }),
    error: fc.jsonValue({ maxDepth: 1 }),
    jsonrpc: fc.constant("2.0"),
  },
  { requiredKeys: [] },
);
const valid = fc.constantFrom("notification", "request", "response");
const invalid = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
  members.map((message) => JSON.stringify(message)),
  members.map((message) => JSON.stringify(message).slice(0, -1)),
  fc.constantFrom(
    "[]",
    "null",
    "{",
    '{"id":0,"id":1}',
    "[{}]",
    '{"method":null}',
    "\u2028",
    '{"__proto__":0}',
  ),
);

/** A transport whose lines the test provides. */
function channel(): {
  readonly transport: Transport;
  readonly sent: string[];
  readonly sink: () => TransportSink;
} {
  let opened: TransportSink | undefined;
  const sent: string[] = [];
  const transport: Transport = {
    open: (sink) => (opened = sink),
    send: async (text) => void sent.push(text),
    close: async () => {},
  };
  return {
    transport,
    sent,
    sink() {
      if (!opened) throw new Error("the transport was not opened");
      return opened;
    },
  };
}

verifies(
  "fuzz.envelope",
  "delivers valid messages between invalid ones in order and answers every call",
  async () => {
    const step = fc.oneof(
      valid,
      invalid.map((text) => ({ text })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { transport, sent, sink } = channel();
        const seen: unknown[] = [];
        const handlers: ConnectionHandlers = {
          notification: (method, params) => void (method === "fuzz" && seen.push(params)),
          request: (method, params) => (method === "fuzz" ? { got: params } : {}),
          badLine: () => {},
          closed: () => {},
        };
        const connection = new Connection({ transport, handlers, maxInFlight: 64 });
        const told: number[] = [];
        const asked: string[] = [];
        const calls: Promise<unknown>[] = [];
        for (const [index, each] of steps.entries()) {
          if (each === "notification") {
            told.push(index);
            sink().line(JSON.stringify({ method: "fuzz", params: index }));
          } else if (each === "request") {
            // No random line has an id like this one.
            asked.push(`fuzz-${index}`);
            sink().line(JSON.stringify({ id: `fuzz-${index}`, method: "fuzz", params: index }));
          } else if (each === "response") {
            calls.push(connection.request("ask", {}).catch((error: unknown) => error));
            const { id: callId } = JSON.parse(sent.at(-1) ?? "") as { id: number };
            sink().line(JSON.stringify({ id: callId, result: index }));
          } else {
            sink().line(each.text);
          }
        }
        await Promise.all(calls);
        expect(seen).toEqual(told);
        // Handlers run outside the read loop and have answered a few microtasks later.
        for (let tick = 0; tick < 8; tick++) await Promise.resolve();
        const answers = sent
          .filter((text) => text.includes('"fuzz-'))
          .map((text) => JSON.parse(text) as object);
        expect(answers).toEqual(asked.map((each) => ({ id: each, result: { got: Number(each.slice(5)) } })));
        await connection.close();
      }),
      { seed: 12, numRuns: CASES },
    );
  },
  FUZZ,
);

verifies(
  "fuzz.envelope",
  "classifies every JSON value by its keys without throwing",
  () => {
    fc.assert(
      fc.property(fc.oneof(members, fc.jsonValue()), (value) => {
        const { kind } = classify(value);
        expect(["request", "notification", "response", "malformed"]).toContain(kind);
        const object = typeof value === "object" && value !== null && !Array.isArray(value);
        if (!object) expect(kind).toBe("malformed");
        if (object && typeof (value as { method?: unknown }).method === "string")
          expect(kind).not.toBe("response");
      }),
      { seed: 13, numRuns: CASES },
    );
  },
  FUZZ,
);
