import fc from "fast-check";
import { expect } from "vitest";
import { METHODS } from "codexwright/protocol";
import { fakeAppServer, type DialectName, type Fault, type FakeAppServer } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

function refusal(fault: unknown): { code: string; message: string } | undefined {
  let fake: FakeAppServer;
  try {
    fake = fakeAppServer({ model: [], cwd: import.meta.dirname, faults: [fault] as Fault[] });
  } catch (error) {
    return error as { code: string; message: string };
  }
  void fake[Symbol.asyncDispose]();
  return undefined;
}

const WRONG: readonly (readonly [fault: unknown, told: string])[] = [
  [{ on: "turn/strat", fault: "crash" }, 'did you mean "turn/start"?'],
  [{ on: "turn/Started", fault: "missing" }, 'did you mean "turn/started"?'],
  [{ on: "item/agentMessage/deltas", fault: "crash" }, 'did you mean "item/agentMessage/delta"?'],
  [{ on: "deltas", fault: "crash" }, 'did you mean "delta"?'],
  [{ on: "", fault: "crash" }, "is not the name of a message"],
  [{ on: "constructor", fault: "crash" }, "is not the name of a message"],
  [{ on: 5, fault: "crash" }, "on must be a string (got 5)"],
  [{ fault: "crash" }, "on must be a string (got undefined)"],
  // Messages of the protocol that this fake never receives or sends.
  [{ on: "thread/realtime/start", fault: "crash" }, "is not supported by this fake"],
  [{ on: "thread/realtime/started", fault: "crash" }, "is never sent by this fake"],
  [{ on: "attestation/generate", fault: "missing" }, "is never sent by this fake"],
  [{ on: "initialized", fault: "stall" }, "is a client notification"],
  // Kinds that do not apply to the message.
  [{ on: "turn/started", fault: "overload" }, "applies to client requests"],
  [{ on: "item/commandExecution/requestApproval", fault: "overload" }, "applies to client requests"],
  [{ on: "delta", fault: "overload" }, "applies to client requests"],
  [{ on: "turn/completed", fault: "earlyEvents" }, "applies to answers that events follow"],
  [{ on: "model/list", fault: "earlyEvents" }, "applies to answers that events follow"],
  // Invalid values.
  [{ on: "turn/start", fault: "crsh" }, 'did you mean "crash"?'],
  [{ on: "turn/start", fault: "Overload" }, 'did you mean "overload"?'],
  [{ on: "turn/start" }, "fault must be given"],
  [{ on: "turn/start", fault: null }, "must be crash, stall"],
  [{ on: "turn/start", fault: {} }, "must be ≥ 0 and ≤"],
  [{ on: "turn/start", fault: { delay: 5 } }, 'the nearest is "faults[0].fault.delayMs"'],
  [{ on: "turn/start", fault: { delayMs: "5" } }, "must be ≥ 0 and ≤"],
  [{ on: "turn/start", fault: { delayMs: -1 } }, "must be ≥ 0 and ≤"],
  [{ on: "turn/start", fault: { delayMs: Number.NaN } }, "must be ≥ 0 and ≤"],
  [{ on: "turn/start", fault: { delayMs: Infinity } }, "must be ≥ 0 and ≤"],
  [{ on: "turn/start", fault: { delayMs: 2 ** 31 } }, "must be ≥ 0 and ≤"],
  [{ on: "turn/start", fault: { delayMs: 5, nth: 2 } }, 'has no option "faults[0].fault.nth"'],
  [{ on: "turn/start", nth: 0, fault: "crash" }, "must be an integer ≥ 1"],
  [{ on: "turn/start", nth: 1.5, fault: "crash" }, "must be an integer ≥ 1"],
  [{ on: "turn/start", nth: "2", fault: "crash" }, "must be an integer ≥ 1"],
  [{ on: "turn/start", Nth: 2, fault: "crash" }, 'the nearest is "faults[0].nth"'],
  [{ method: "turn/start", fault: "crash" }, 'has no option "faults[0].method"'],
  ["crash", "must be an object"],
  [null, "must be an object"],
];

verifies(
  "testing.fake.faults.refused",
  "rejects a fault that cannot happen with a reason, and suggests the nearest name",
  () => {
    for (const [fault, told] of WRONG) {
      const error = refusal(fault);
      expect({ fault, code: error?.code }).toEqual({ fault, code: "invalid_argument" });
      expect(error?.message).toContain(told);
      expect(error?.message).toContain("faults[0]");
    }
    expect(() => fakeAppServer({ model: [], faults: { on: "delta" } as unknown as Fault[] })).toThrow(
      "must be an array",
    );
  },
);

verifies(
  "testing.fake.faults.refused",
  "rejects a method that the dialect lacks, and only in that dialect",
  () => {
    const faults: Fault[] = [{ on: "turn/steer", fault: "stall" }];
    void fakeAppServer({ model: [], cwd: import.meta.dirname, faults })[Symbol.asyncDispose]();
    expect(() => fakeAppServer({ model: [], cwd: import.meta.dirname, dialect: "0.98", faults })).toThrow(
      "is not supported by this fake",
    );
  },
);

verifies(
  "testing.fake.faults.refused",
  "rejects a message that the dialect's server never sends, and only in that dialect",
  () => {
    const since: readonly (readonly [dialect: DialectName, on: string])[] = [
      ["0.98", "thread/status/changed"],
      ["0.98", "guardianWarning"],
      ["0.98", "serverRequest/resolved"],
      ["0.98", "item/permissions/requestApproval"],
      ["2025-11", "thread/tokenUsage/updated"],
      ["2025-11", "warning"],
    ];
    for (const [dialect, on] of since) {
      const made = (name: DialectName): FakeAppServer =>
        fakeAppServer({
          model: [],
          cwd: import.meta.dirname,
          dialect: name,
          faults: [{ on, fault: "missing" }],
        });
      void made("current")[Symbol.asyncDispose]();
      expect(() => made(dialect), `${on} in ${dialect}`).toThrow("is never sent by this fake");
    }
  },
);

verifies(
  "testing.fake.faults.refused",
  "rejects every name with one letter too many, too few or wrong",
  () => {
    const fake = fakeAppServer({ model: [], cwd: import.meta.dirname });
    void fake[Symbol.asyncDispose]();
    const known = new Set(Object.values(METHODS).flatMap((table) => Object.keys(table)));
    const names = [...fake.methods, "turn/started", "item/completed", "item/tool/call", "delta"];
    for (const on of names) expect({ on, error: refusal({ on, fault: "missing" }) }).toEqual({ on });
    const misspelt = fc
      .record({ name: fc.constantFrom(...names), at: fc.nat(), letter: fc.constantFrom("", "x", "/", "S") })
      .map(({ name, at, letter }) => {
        const place = at % name.length;
        return `${name.slice(0, place)}${letter}${name.slice(place + 1)}`;
      })
      .filter((name) => !known.has(name) && name !== "delta");
    const property = fc.property(misspelt, (on) => {
      const error = refusal({ on, fault: "crash" });
      expect(error?.code).toBe("invalid_argument");
      expect(error?.message).toContain("did you mean");
    });
    fc.assert(property, { seed: 20_261_116, numRuns: 100 });
  },
);
