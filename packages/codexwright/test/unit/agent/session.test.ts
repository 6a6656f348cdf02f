import { createSession, event, slice } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { AddStep, Counter, fakeClock, Findings, Plan, Rename, slices } from "./plan.ts";

verifies("agent.session.events", "an event changes every slice that reacts to it, and no other", () => {
  const session = createSession({ slices });
  const findings = session.get(Findings);
  session.dispatch(AddStep({ step: "read" }));
  session.dispatch(AddStep({ step: "write" }));
  expect(session.get(Plan)).toEqual({ title: "untitled", steps: ["read", "write"] });
  expect(session.get(Counter)).toEqual({ count: 2 });
  expect(session.get(Findings)).toBe(findings);
});

verifies("agent.session.events", "a log grows by its own event, with the defaults of the schema", () => {
  const session = createSession({ slices });
  session.dispatch(Findings.append({ file: "a.ts" }));
  session.dispatch(Findings.append({ file: "b.ts", line: 7 }));
  expect(session.get(Findings)).toEqual([
    { file: "a.ts", line: 1 },
    { file: "b.ts", line: 7 },
  ]);
  expect(session.get(Findings)).toBe(session.get(Findings));
});

verifies("agent.session.events", "a log does not retain the arrays that it returned", async () => {
  const session = createSession({ slices });
  const last = session.get(Findings);
  const given = Array.from({ length: 100 }, (_, line) => {
    session.dispatch(Findings.append({ file: "a.ts", line }));
    session.toJSON();
    return new WeakRef(session.get(Findings));
  });
  await collectGarbage();
  expect(given.filter((list) => list.deref() !== undefined).length).toBeLessThan(5);
  expect([last.length, session.get(Findings).length]).toEqual([0, 100]);
});

verifies("agent.session.events", "rejects a payload that does not match its schema", () => {
  expect(() => AddStep({ step: 1 } as never)).toThrow(
    /the payload of event "plan\/addStep" is invalid:\n- step:/,
  );
  const Later = event("later", {
    "~standard": { ...z.string()["~standard"], validate: async (value) => Promise.resolve({ value }) },
  });
  expect(() => Later("x")).toThrow("must validate synchronously");
  expect(() => event("session/set", z.string())).toThrow("session/");
});

verifies("agent.session.events", "also checks a state that its reducer has frozen", () => {
  const Frozen = slice("frozen", {
    schema: z.object({ list: z.array(z.string()), at: z.unknown() }),
    initial: { list: [], at: 0 },
    on: (on) => [
      on(AddStep, ({ at }, { step }) => Object.freeze({ at, list: [step] })),
      on(Rename, (state) => Object.freeze({ ...state, at: new Date(0) })),
    ],
  });
  const session = createSession({ slices: [Frozen] });
  session.dispatch(AddStep({ step: "read" }));
  expect(() => session.get(Frozen).list.push("write")).toThrow(TypeError);
  expect(() => session.dispatch(Rename({ title: "x" }))).toThrow("at is a Date");
  expect(session.get(Frozen)).toEqual({ list: ["read"], at: 0 });
});

verifies(
  "agent.session.events",
  "a reducer that throws leaves every slice unchanged, and adds no entry",
  () => {
    const Bad = slice("bad", {
      schema: z.object({}),
      initial: {},
      on: (on) => [
        on(AddStep, () => {
          throw new RangeError("no room");
        }),
      ],
    });
    const session = createSession({ slices: [Plan, Counter, Bad] });
    const before = [session.get(Plan), session.get(Counter), session.journal.length];
    expect(() => session.dispatch(AddStep({ step: "x" }))).toThrow(new RangeError("no room"));
    expect([session.get(Plan), session.get(Counter), session.journal.length]).toEqual(before);
    expect(session.get(Plan)).toBe(before[0]);
    session.dispatch(Rename({ title: "still works" }));
    expect(session.get(Plan).title).toBe("still works");
  },
);

verifies("agent.session.events", "the state of a reducer must be JSON, and a reducer cannot dispatch", () => {
  const Stamp = event("stamp", z.object({ how: z.enum(["date", "nothing", "dispatch"]) }));
  const Stamps = slice("stamps", {
    schema: z.object({ at: z.unknown() }),
    initial: { at: null },
    on: (on) => [
      on(Stamp, (_, { how }) => {
        if (how === "dispatch") session.dispatch(Rename({ title: "x" }));
        return how === "date" ? { at: { made: [new Date(0)] } } : (undefined as never);
      }),
    ],
  });
  const session = createSession({ slices: [Plan, Stamps] });
  expect(() => session.dispatch(Stamp({ how: "date" }))).toThrow("at.made[0] is a Date");
  expect(() => session.dispatch(Stamp({ how: "nothing" }))).toThrow("it is undefined");
  expect(() => session.dispatch(Stamp({ how: "dispatch" }))).toThrow("must not change the session");
  expect(session.get(Plan).title).toBe("untitled");
});

verifies("agent.session.events", "rejects cycles and arrays with holes, and names the place", () => {
  const circle: { inner: unknown[] } = { inner: [] };
  circle.inner.push(circle);
  const Odd = event("odd", z.object({ value: z.unknown() }));
  const Odds = slice("odds", {
    schema: z.object({ value: z.unknown() }),
    initial: { value: null },
    on: (on) => [
      on(Odd, (_, { value }) => ({ value: value === "circle" ? circle : Object.assign([1], { 2: 3 }) })),
    ],
  });
  expect(() => Odd({ value: circle })).toThrow("value.inner[0] refers to an object that contains it");
  const session = createSession({ slices: [Odds] });
  expect(() => session.dispatch(Odd({ value: "circle" }))).toThrow("JSON without cycles");
  expect(() => session.dispatch(Odd({ value: "holes" }))).toThrow("value[1] is undefined");
  expect(session.get(Odds)).toEqual({ value: null });
});

verifies("agent.session.events", "states and payloads are frozen copies", () => {
  const session = createSession({ slices });
  const mine = { title: "mine", steps: ["a"] };
  session.set(Plan, mine);
  mine.steps.push("b");
  expect(session.get(Plan).steps).toEqual(["a"]);
  expect(() => session.get(Plan).steps.push("c")).toThrow(TypeError);
  session.dispatch(AddStep({ step: "d" }));
  expect(() => session.get(Plan).steps.push("e")).toThrow(TypeError);
});

verifies("agent.session.events", "validates the value of set, and adds an entry to the journal", () => {
  const session = createSession({ slices });
  expect(() => session.set(Plan, { title: "x" } as never)).toThrow('the value of slice "plan" is invalid');
  session.set(Counter, { count: 9 });
  expect(session.journal.at(-1)?.event).toEqual({
    type: "session/set",
    payload: { slice: "counter", value: { count: 9 } },
  });
});

verifies("agent.session.events", "entries have a sequence number, a time and tags", () => {
  const clock = fakeClock(1000);
  const session = createSession({ slices, clock });
  clock.advance(5);
  session.tagged({ runId: "r", callId: "c" }).dispatch(Rename({ title: "x" }));
  expect(session.journal.at(-1)).toEqual({
    seq: 1,
    at: 1005,
    runId: "r",
    callId: "c",
    event: { type: "plan/rename", payload: { title: "x" } },
  });
});

verifies("agent.session.events", "rejects slices, events and snapshots of other sessions", () => {
  const session = createSession({ slices: [Plan] });
  const Twin = event("plan/addStep", z.object({ other: z.number() }));
  expect(() => session.get(Counter)).toThrow('slice "counter" is not part of this session');
  expect(() => session.dispatch({ type: "plan/addStep", payload: {} })).toThrow("an event type created");
  expect(() => session.dispatch(Twin({ other: 1 }))).toThrow("already used by another event() definition");
  expect(() => createSession({ slices: [Plan, Plan] })).toThrow(
    'slice keys must be unique: "plan" is used twice',
  );
  expect(() => session.restore(createSession({ slices: [Plan] }).snapshot())).toThrow(
    "must come from this session",
  );
});

verifies("agent.session.observers", "calls observers in order, also for events that observers cause", () => {
  const session = createSession({ slices });
  const heard: string[] = [];
  session.on(AddStep, ({ step }) => {
    heard.push(`1:${step}`);
    if (step === "a") session.dispatch(AddStep({ step: "b" }));
  });
  session.on(AddStep, ({ step }) => heard.push(`2:${step}`));
  session.dispatch(AddStep({ step: "a" }));
  expect(heard).toEqual(["1:a", "2:a", "1:b", "2:b"]);
});

verifies("agent.session.observers", "collects errors of observers and continues", () => {
  const session = createSession({ slices });
  const heard: string[] = [];
  const failure = new Error("observer");
  session.on(AddStep, () => {
    throw failure;
  });
  session.on(AddStep, ({ step }) => heard.push(step));
  session.dispatch(AddStep({ step: "a" }));
  expect(heard).toEqual(["a"]);
  expect(session.get(Plan).steps).toEqual(["a"]);
  expect(session.observerFailures).toEqual([{ seq: 1, error: failure }]);
});

verifies("agent.session.observers", "does not call an observer after it was removed", () => {
  const session = createSession({ slices });
  const heard: string[] = [];
  const off = session.on(AddStep, ({ step }) => heard.push(step));
  session.dispatch(AddStep({ step: "a" }));
  off();
  {
    using _ = session.on(AddStep, ({ step }) => heard.push(`using ${step}`));
    session.dispatch(AddStep({ step: "b" }));
  }
  session.dispatch(AddStep({ step: "c" }));
  expect(heard).toEqual(["a", "using b"]);
});
