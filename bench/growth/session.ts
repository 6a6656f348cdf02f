import { createSession, event, jsonSchema, log, Session, slice } from "codexwright/agent";
import { must, times, type GrowthCase } from "./case.ts";

interface Step {
  readonly n: number;
  readonly text: string;
}

const step = jsonSchema<Step>({
  type: "object",
  properties: { n: { type: "number" }, text: { type: "string" } },
  required: ["n", "text"],
});

const Steps = log("steps", step);
const Last = event("last", step);
const LastSlice = slice("last", {
  schema: step,
  initial: { n: -1, text: "" },
  on: (on) => [on(Last, (_state, payload) => payload)],
});
const options = { slices: [Steps, LastSlice] };

/** Events of a session, half of them kept in a list. */
export const events: GrowthCase = (count) => {
  const session = createSession(options);
  return {
    run() {
      fill(session, count);
      must("steps", session.get(Steps).length, count / 2);
    },
  };
};

/** Snapshots, each with a change that is rolled back. */
export const snapshots: GrowthCase = (count) => {
  const session = createSession(options);
  return {
    run() {
      for (let n = 0; n < count; n++) {
        const before = session.snapshot();
        session.dispatch(Last({ n, text: "to be taken back" }));
        session.restore(before);
      }
      must("last", session.get(LastSlice).n, -1);
    },
  };
};

/** A session that is stored and loaded again. */
export const stored: GrowthCase = (count) => {
  const session = createSession(options);
  fill(session, count);
  return {
    run() {
      const again = Session.parse(JSON.stringify(session), options);
      must("steps", again.get(Steps).length, count / 2);
    },
  };
};

/** A journal that is replayed. */
export const replayed: GrowthCase = (count) => {
  const session = createSession(options);
  fill(session, count);
  return {
    run() {
      const again = Session.replay(session.journal, options);
      must("steps", again.get(Steps).length, count / 2);
    },
  };
};

function fill(session: Session, count: number): void {
  for (const n of times(count / 2, (each) => each)) {
    session.dispatch(Steps.append({ n, text: `step ${n}` }));
    session.dispatch(Last({ n, text: `step ${n}` }));
  }
}
