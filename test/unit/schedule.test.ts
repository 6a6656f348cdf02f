import { expect, test } from "vitest";
import { schedule } from "../../scripts/schedule.ts";
import { deferred, rejection } from "@codexwright/test-support/events";

interface Piece {
  readonly name: string;
  readonly alone?: boolean;
}

/** Jobs that end when the test ends them. */
function pieces(...works: readonly Piece[]) {
  const started: string[] = [];
  const ends = new Map(works.map(({ name }) => [name, deferred<string>()]));
  return {
    works,
    started,
    run: (work: Piece): Promise<string> => {
      started.push(work.name);
      return ends.get(work.name)?.promise ?? Promise.reject(new Error(work.name));
    },
    /** Ends a job, and lets the schedule continue. */
    end: async (name: string): Promise<void> => {
      ends.get(name)?.resolve(`${name} ended`);
      await settled();
    },
    fail: async (name: string): Promise<void> => {
      ends.get(name)?.reject(new Error(name));
      await settled();
    },
  };
}

/** Resolves on the next turn of the event loop, when all settled promises have run their callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("runs a limited number of steps at the same time, in order, and starts the next one when any of them ends", async () => {
  const { works, started, run, end } = pieces({ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" });
  const all = schedule(works, 2, run);
  await settled();
  expect(started).toEqual(["a", "b"]);
  await end("b");
  expect(started).toEqual(["a", "b", "c"]);
  await end("c");
  expect(started).toEqual(["a", "b", "c", "d"]);
  await end("d");
  await end("a");
  expect(await all).toEqual(["a ended", "b ended", "c ended", "d ended"]);
});

test("a step that runs alone waits for all earlier steps, and all later steps wait for it", async () => {
  const { works, started, run, end } = pieces(
    { name: "a" },
    { name: "b" },
    { name: "alone", alone: true },
    { name: "c" },
    { name: "d" },
  );
  const all = schedule(works, 3, run);
  await settled();
  expect(started).toEqual(["a", "b"]);
  await end("a");
  expect(started).toEqual(["a", "b"]);
  await end("b");
  expect(started).toEqual(["a", "b", "alone"]);
  await end("alone");
  expect(started).toEqual(["a", "b", "alone", "c", "d"]);
  await end("c");
  await end("d");
  expect(await all).toHaveLength(5);
});

test("an error of the runner is reported after everything has ended", async () => {
  const { works, started, run, end, fail } = pieces({ name: "a" }, { name: "b" }, { name: "c" });
  const all = rejection(schedule(works, 2, run));
  await settled();
  await fail("a");
  expect(started).toEqual(["a", "b", "c"]);
  await end("b");
  await end("c");
  expect(await all).toMatchObject({ message: "a" });
});
