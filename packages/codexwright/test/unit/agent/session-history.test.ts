import { createSession, Session, SessionInvalidError, slice, type JournalEntry } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { AddStep, Counter, Findings, Plan, Rename, slices } from "./plan.ts";

/** A session with events, sets, a rollback of several changes, and more events after the rollback. */
function eventful(): Session {
  const session = createSession({ slices });
  session.dispatch(AddStep({ step: "a" }));
  const snapshot = session.snapshot();
  session.dispatch(AddStep({ step: "b" }));
  session.set(Counter, { count: 40 });
  session.dispatch(Findings.append({ file: "kept.ts" }));
  session.restore(snapshot);
  session.dispatch(AddStep({ step: "c" }));
  session.dispatch(Rename({ title: "eventful" }));
  return session;
}

const states = (session: Session): unknown[] => slices.map((one) => session.get<unknown>(one));

verifies(
  "agent.session.snapshot",
  "restoring a snapshot restores states, keeps logs, and adds an entry",
  () => {
    const session = createSession({ slices });
    session.dispatch(AddStep({ step: "a" }));
    const [plan, counter] = [session.get(Plan), session.get(Counter)];
    const snapshot = session.snapshot();
    session.dispatch(AddStep({ step: "b" }));
    session.dispatch(Findings.append({ file: "a.ts" }));
    session.restore(snapshot, { callId: "call" });
    expect(session.get(Plan)).toBe(plan);
    expect(session.get(Counter)).toBe(counter);
    expect(session.get(Findings)).toHaveLength(1);
    expect(session.journal.at(-1)).toMatchObject({
      seq: 4,
      callId: "call",
      event: { type: "session/rolledBack", payload: { to: 1 } },
    });
  },
);

verifies("agent.session.snapshot", "restoring a snapshot adds no entry if nothing changed", () => {
  const session = eventful();
  const length = session.journal.length;
  session.restore(session.snapshot());
  expect(session.journal).toHaveLength(length);
});

verifies(
  "agent.session.snapshot",
  "300 snapshots and restores after 3,000 dispatches return identical references and cost less than the dispatches",
  () => {
    const session = createSession({ slices });
    const cost = (work: () => void): number => {
      const start = performance.now();
      work();
      return performance.now() - start;
    };
    const dispatches = cost(() => {
      for (let n = 0; n < 3_000; n++)
        session.dispatch(n % 2 ? AddStep({ step: `${n}` }) : Findings.append({ file: `${n}` }));
    });
    const [plan, counter] = [session.get(Plan), session.get(Counter)];
    let same = 0;
    const pairs = cost(() => {
      for (let n = 0; n < 300; n++) {
        const snapshot = session.snapshot();
        session.dispatch(Rename({ title: `${n}` }));
        session.restore(snapshot);
        if (session.get(Plan) === plan && session.get(Counter) === counter) same++;
      }
    });
    expect(same).toBe(300);
    expect(plan.steps).toHaveLength(1500);
    expect(session.get(Findings)).toHaveLength(1500);
    expect(pairs).toBeLessThan(dispatches);
  },
);

verifies("agent.session.replay", "replaying the journal produces the same state, across rollbacks", () => {
  const session = eventful();
  const again = Session.replay(session.journal, { slices });
  expect(states(again)).toEqual(states(session));
  expect(again.get(Plan).steps).toEqual(["a", "c"]);
  expect(again.journal).toEqual(session.journal);
});

verifies("agent.session.replay", "replays any sequence of events exactly", () => {
  // A fixed sequence of pseudo-random choices: the same in every run.
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  const session = createSession({ slices });
  const snapshots = [session.snapshot()];
  for (let n = 0; n < 400; n++) {
    const choice = random(5);
    if (choice === 0) snapshots.push(session.snapshot());
    else if (choice === 1) session.restore(snapshots.at(random(snapshots.length)) ?? session.snapshot());
    else if (choice === 2) session.set(Counter, { count: random(100) });
    else session.dispatch(choice === 3 ? AddStep({ step: `${n}` }) : Findings.append({ file: `${n}` }));
  }
  expect(session.journal.length).toBeGreaterThan(200);
  const again = Session.replay(JSON.parse(JSON.stringify(session.journal)) as JournalEntry[], { slices });
  expect(states(again)).toEqual(states(session));
});

verifies("agent.session.replay", "rejects an incomplete journal", () => {
  const { journal } = eventful();
  const [created, first] = journal as readonly [JournalEntry, JournalEntry];
  const replay = (entries: readonly JournalEntry[]) => () => Session.replay(entries, { slices });
  expect(replay(journal.slice(1))).toThrow("the first entry of the journal must be session/created");
  expect(replay(journal.toSpliced(2, 1))).toThrow("entry 2 of the journal is missing");
  const back = (to: number): JournalEntry => ({
    ...first,
    event: { type: "session/rolledBack", payload: { to } },
  });
  expect(replay([created, back(5)])).toThrow("entry 5, the target of the rollback, does not exist");
  expect(replay([{ ...created, event: { type: "session/created", payload: { slices: {} } } }])).toThrow(
    "session/created has no value for codexwright/visibility, codexwright/threads, codexwright/runs, codexwright/usage, plan, counter, findings",
  );
});

verifies("agent.session.json", "a session survives a round trip through JSON and can continue", () => {
  const session = eventful();
  const read = Session.parse(JSON.stringify(session), { slices });
  expect(read.id).toBe(session.id);
  expect(states(read)).toEqual(states(session));
  expect(read.journal).toEqual(session.journal);
  read.dispatch(AddStep({ step: "after" }));
  expect(read.journal.at(-1)?.seq).toBe((session.journal.at(-1)?.seq ?? 0) + 1);
  expect(Session.replay(read.journal, { slices }).get(Plan).steps).toEqual(["a", "c", "after"]);
  expect(() => read.get(Plan).steps.push("x")).toThrow(TypeError);
});

verifies("agent.session.json", "rejects JSON that does not match the schemas, and names the place", () => {
  const stored = JSON.parse(JSON.stringify(eventful())) as {
    version: number;
    slices: { plan: { version: number; value: unknown }; findings: { version: number; value: unknown } };
    journal: [{ event: { payload: unknown } }, { event: { payload: unknown } }];
  };
  const parse = (change: (copy: typeof stored) => void) => () => {
    const copy = structuredClone(stored);
    change(copy);
    return Session.parse(JSON.stringify(copy), { slices });
  };
  expect(() => Session.parse("{", { slices })).toThrow(SessionInvalidError);
  expect(parse((copy) => (copy.version = 2))).toThrow("version 2");
  expect(parse((copy) => (copy.slices.plan.value = { title: 1, steps: [] }))).toThrow(
    /slice "plan" cannot be read: .*\n- title:/,
  );
  expect(parse((copy) => (copy.slices.findings.value = [{}]))).toThrow(
    /an entry of log "findings".*\n- file:/,
  );
  expect(parse((copy) => Object.assign(copy.slices, { other: { version: 1, value: 1 } }))).toThrow(
    "not passed in options: other",
  );
  expect(parse((copy) => (copy.journal[1].event.payload = { step: 5 }))).toThrow(
    /entry 1 of the journal is invalid: .*\n- step:/,
  );
  expect(parse((copy) => (copy.journal[0].event.payload = 1))).toThrow(
    "the payload of session/created is invalid",
  );
});

verifies(
  "agent.session.json",
  "migrates or rejects another version of a slice, and starts a new journal",
  () => {
    const json = JSON.stringify(eventful());
    const next = { schema: z.object({ name: z.string() }), initial: { name: "" }, version: 2 };
    const rest = [Counter, Findings];
    expect(() => Session.parse(json, { slices: [slice("plan", next), ...rest] })).toThrow(
      'slice "plan" was stored as version 1, but its version is 2: add a migrate function',
    );
    const Plan2 = slice("plan", {
      ...next,
      migrate: (value, version) => ({ name: `${(value as { title: string }).title} of ${version}` }),
    });
    const New = slice("new", { schema: z.number(), initial: 5 });
    const session = Session.parse(json, { slices: [Plan2, New, ...rest] });
    expect(session.get(Plan2)).toEqual({ name: "eventful of 1" });
    expect(session.get(New)).toBe(5);
    expect(session.get(Findings)).toHaveLength(1);
    expect(session.journal.map(({ event: { type } }) => type)).toEqual(["session/created"]);
    expect(session.journal[0]?.seq).toBe(eventful().journal.length);
    expect(Session.replay(session.journal, { slices: [Plan2, New, ...rest] }).get(Plan2).name).toBe(
      "eventful of 1",
    );
  },
);
