import {
  createSession,
  event,
  log,
  Resources,
  Session,
  slice,
  tool,
  ToolRunner,
  type AgentToolContext,
  type SessionAccess,
  type SessionReader,
  type SessionSnapshot,
  type ToolOutcome,
} from "codexwright/agent";
import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { textOf, world } from "./tool-runner-world.ts";
import { AddStep, Counter, fakeClock, Findings, Plan } from "./plan.ts";

const Noted = event("notes/noted", z.object({ note: z.string() }));
/** A state and a log that react to the same event. */
const Notes = slice("notes", {
  schema: z.array(z.string()),
  initial: [],
  on: (on) => [on(Noted, (notes, { note }) => [...notes, note])],
});
const Audit = slice("audit", {
  schema: z.array(z.string()),
  initial: [],
  policy: "log",
  on: (on) => [on(Noted, (notes, { note }) => [...notes, note])],
});
const Blips = log("blips", z.string());
const slices = [Plan, Counter, Notes, Audit, Blips];

/** The expected state, as a simple model without drafts computes it. */
interface State {
  readonly steps: readonly string[];
  readonly count: number;
  readonly notes: readonly string[];
  readonly audit: readonly string[];
  readonly blips: readonly string[];
}

type Change =
  | { readonly type: "add"; readonly text: string }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "blip"; readonly text: string }
  | { readonly type: "set"; readonly count: number };

const EMPTY: State = { steps: [], count: 0, notes: [], audit: [], blips: [] };

function after(state: State, change: Change): State {
  switch (change.type) {
    case "add":
      return { ...state, steps: [...state.steps, change.text], count: state.count + 1 };
    case "note":
      return { ...state, notes: [...state.notes, change.text], audit: [...state.audit, change.text] };
    case "blip":
      return { ...state, blips: [...state.blips, change.text] };
    default:
      return { ...state, count: change.count };
  }
}

function make(session: SessionAccess, change: Change): void {
  if (change.type === "add") session.dispatch(AddStep({ step: change.text }));
  else if (change.type === "note") session.dispatch(Noted({ note: change.text }));
  else if (change.type === "blip") session.dispatch(Blips.append(change.text));
  else if (change.type === "set") session.set(Counter, { count: change.count });
}

function stateOf(session: SessionReader): State {
  return {
    steps: session.get(Plan).steps,
    count: session.get(Counter).count,
    notes: session.get(Notes),
    audit: session.get(Audit),
    blips: session.get(Blips),
  };
}

type Step =
  | { readonly do: "app" | "call"; readonly change: Change }
  | { readonly do: "start" | "look" | "snapshot" | "restore" }
  | { readonly do: "end"; readonly how: "ok" | "throw" | "fail" | "abort" | "timeout" };

const text = fc.constantFrom("p", "q", "r");
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant("add" as const), text }),
  fc.record({ type: fc.constant("note" as const), text }),
  fc.record({ type: fc.constant("blip" as const), text }),
  fc.record({ type: fc.constant("set" as const), count: fc.integer({ min: 10, max: 12 }) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("app" as const, "call" as const), change }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "start" as const,
        "start" as const,
        "look" as const,
        "snapshot" as const,
        "restore" as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom(
        "ok" as const,
        "ok" as const,
        "throw" as const,
        "fail" as const,
        "abort" as const,
        "timeout" as const,
      ),
    }),
  },
);

/** A call whose tool the test controls. */
interface Running {
  readonly outcome: Promise<ToolOutcome>;
  readonly abort: AbortController;
  context: AgentToolContext | undefined;
  readonly end: ReturnType<typeof deferred<string>>;
}

/** A session under test, with its model. */
class Course {
  readonly session: Session = createSession({ slices });
  readonly #clock = fakeClock();
  readonly #calls: Running[] = [];
  readonly #runner: ToolRunner;
  #committed: State = EMPTY;
  #pending: Change[] = [];
  /** The committed value of the counter when the call set it. */
  #seen: number | undefined;
  #snapshot: [SessionSnapshot, State];

  constructor() {
    const running = this.#calls;
    const work = tool({
      name: "work",
      description: "d",
      input: z.object({ n: z.number() }),
      timeoutMs: 1000,
      async run({ n }, context: AgentToolContext) {
        const call = running[n];
        if (call) call.context = context;
        const how = await call?.end.promise;
        if (how === "throw") throw new Error("thrown");
        if (how === "fail") context.fail("failed");
        return how;
      },
    });
    const look = tool({
      name: "look",
      description: "d",
      input: z.object({}),
      effects: "readonly",
      run: (_, { session }: AgentToolContext) => stateOf(session),
    });
    const { session } = this;
    this.#runner = new ToolRunner({
      tools: [work, look],
      session,
      resources: new Resources([]),
      clock: this.#clock,
    });
    this.#snapshot = [session.snapshot(), EMPTY];
  }

  async take(one: Step): Promise<void> {
    const [running] = this.#open;
    if (one.do === "app") {
      make(this.session, one.change);
      this.#committed = after(this.#committed, one.change);
    } else if (one.do === "start") await this.#start();
    else if (one.do === "look") expect(await this.#look()).toEqual(this.#committed);
    else if (one.do === "snapshot") this.#snapshot = [this.session.snapshot(), this.#committed];
    else if (one.do === "restore") {
      const [snapshot, { steps, count, notes }] = this.#snapshot;
      this.session.restore(snapshot);
      this.#committed = { ...this.#committed, steps, count, notes };
    } else if (running?.context && one.do === "call") this.#change(running.context.session, one.change);
    else if (running && one.do === "end") await this.#end(running, one.how);
    this.check();
  }

  check(): void {
    const stored = Session.parse(JSON.stringify(this.session), { slices });
    const replayed = Session.replay(this.session.journal, { slices });
    for (const one of [this.session, stored, replayed]) expect(stateOf(one)).toEqual(this.#committed);
    const view = this.#open[0]?.context?.session;
    if (view) expect(stateOf(view)).toEqual(this.#pending.reduce(after, this.#committed));
  }

  get #open(): readonly Running[] {
    return this.#calls.filter(({ end }) => !this.#ended.has(end));
  }

  readonly #ended = new Set<Running["end"]>();

  async #call(name: string, args: { n?: number }, signal: AbortSignal): Promise<ToolOutcome> {
    const place = { threadId: "t", turnId: "u", callId: `${this.#calls.length}` };
    return await this.#runner.call({ ...place, tool: name, namespace: null, arguments: args }, signal);
  }

  async #start(): Promise<void> {
    const abort = new AbortController();
    const n = this.#calls.length;
    const outcome = this.#call("work", { n }, abort.signal);
    this.#calls.push({ outcome, abort, context: undefined, end: deferred<string>() });
    await this.#begun();
  }

  /** Only the first unfinished call runs; the others wait for it. */
  async #begun(): Promise<void> {
    await until(() => this.#open.length === 0 || this.#open[0]?.context !== undefined);
    expect(this.#open.slice(1).every(({ context }) => context === undefined)).toBe(true);
  }

  async #look(): Promise<unknown> {
    return JSON.parse(textOf(await this.#call("look", {}, new AbortController().signal)));
  }

  #change(session: SessionAccess, made: Change): void {
    make(session, made);
    if (made.type === "blip") this.#committed = after(this.#committed, made);
    else this.#pending.push(made);
    if (made.type === "set") this.#seen = this.#committed.count;
  }

  async #end(running: Running, how: string): Promise<void> {
    if (how === "abort") running.abort.abort(new Error("aborted"));
    else if (how === "timeout") this.#clock.advance(1000);
    this.#ended.add(running.end);
    running.end.resolve(how);
    const { reply } = await running.outcome;
    const conflict = this.#seen !== undefined && this.#seen !== this.#committed.count;
    expect(reply.success).toBe(how === "ok" && !conflict);
    const kept = reply.success ? this.#committed : undefined;
    // If a call fails, only its changes to logs remain.
    const { audit } = this.#pending.reduce(after, this.#committed);
    this.#committed = kept ? this.#pending.reduce(after, kept) : { ...this.#committed, audit };
    this.#pending = [];
    this.#seen = undefined;
    await this.#begun();
  }
}

verifies(
  ["agent.session.commit", "agent.session.undo"],
  "a session always holds, stores and replays the committed state, and each call sees its own changes on top",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const course = new Course();
        for (const one of steps) await course.take(one);
      }),
      { seed: 10, numRuns: 60 },
    );
  },
);

/** Adds a step and a finding, then waits until the test lets it continue. */
function slowTool(how: "ok" | "throw") {
  const [begun, goOn] = [deferred<AgentToolContext>(), deferred()];
  const made = tool({
    name: "slow",
    description: "d",
    input: z.object({}),
    async run(_, context: AgentToolContext) {
      context.session.dispatch(AddStep({ step: "tool" }));
      context.session.dispatch(Findings.append({ file: "log" }));
      begun.resolve(context);
      await goOn.promise;
      if (how === "throw") throw new Error("no");
    },
  });
  return { made, begun, goOn };
}

verifies(
  "agent.session.commit",
  "a session that is stored during a call does not include its changes",
  async () => {
    const { made, begun, goOn } = slowTool("throw");
    const { call, session } = world([made]);
    const outcome = call("slow");
    const context = await begun.promise;
    const options = { slices: [Plan, Counter, Findings] };
    const stored = Session.parse(JSON.stringify(session), options);
    expect([context.session.get(Plan).steps, session.get(Plan).steps]).toEqual([["tool"], []]);
    expect([stored.get(Plan).steps, stored.get(Counter).count, stored.get(Findings).length]).toEqual([
      [],
      0,
      1,
    ]);
    expect(Session.replay(stored.journal, options).get(Plan).steps).toEqual([]);
    goOn.resolve();
    expect((await outcome).reply.success).toBe(false);
    expect(JSON.stringify(session)).toBe(JSON.stringify({ ...stored.toJSON(), id: session.id }));
  },
);

verifies("agent.session.undo", "changes of the application during a failing call are kept", async () => {
  const { made, begun, goOn } = slowTool("throw");
  const { call, session } = world([made]);
  const outcome = call("slow");
  const context = await begun.promise;
  session.dispatch(AddStep({ step: "app" }));
  expect(context.session.get(Plan).steps).toEqual(["app", "tool"]);
  session.set(Counter, { count: 40 });
  goOn.resolve();
  await outcome;
  expect([session.get(Plan).steps, session.get(Counter).count]).toEqual([["app"], 40]);
});

verifies(
  "agent.session.commit",
  "observers get all events of a call together, when the call is committed",
  async () => {
    for (const how of ["ok", "throw"] as const) {
      const { made, begun, goOn } = slowTool(how);
      const { call, session } = world([made]);
      const heard: string[] = [];
      session.on(AddStep, ({ step: added }) => {
        heard.push(`${added} of ${session.get(Plan).steps.join()}`);
        if (added === "tool") session.dispatch(AddStep({ step: "observer" }));
      });
      const outcome = call("slow");
      const context = await begun.promise;
      context.session.dispatch(AddStep({ step: "second" }));
      expect(heard).toEqual([]);
      goOn.resolve();
      await outcome;
      expect(heard).toEqual(
        how === "ok"
          ? ["tool of tool,second", "second of tool,second,observer", "observer of tool,second,observer"]
          : [],
      );
      expect(session.journal.map(({ seq }) => seq)).toEqual(session.journal.map((_, index) => index));
    }
  },
);

verifies(
  "agent.session.commit",
  "a set that would lose a later change of the application fails the call",
  async () => {
    const { made, begun, goOn } = slowTool("ok");
    const { call, session } = world([made]);
    const outcome = call("slow");
    (await begun.promise).session.set(Counter, { count: 7 });
    session.dispatch(AddStep({ step: "app" }));
    goOn.resolve();
    expect(textOf(await outcome)).toContain('the slice "counter" changed after this call had set it');
    expect([session.get(Counter).count, session.get(Plan).steps]).toEqual([1, ["app"]]);
  },
);

verifies(
  "agent.session.commit",
  "a reducer that throws at the commit fails the call, and nothing is committed",
  async () => {
    const Few = slice("few", {
      schema: z.number(),
      initial: 0,
      on: (on) => [
        on(AddStep, (count) => {
          if (count === 1) throw new Error("one is enough");
          return count + 1;
        }),
      ],
    });
    const { made, begun, goOn } = slowTool("ok");
    const session = createSession({ slices: [Plan, Findings, Few] });
    const { call } = world([made], { session });
    const outcome = call("slow");
    await begun.promise;
    session.dispatch(AddStep({ step: "app" }));
    goOn.resolve();
    expect(textOf(await outcome)).toBe("Error: one is enough");
    expect([session.get(Plan).steps, session.get(Few)]).toEqual([["app"], 1]);
  },
);
