import { expect, test } from "vitest";
import { schedule } from "../../scripts/schedule.ts";
import { deferred, rejection } from "@codexwright/test-support/events";

interface Piece {
  readonly name: string;
  readonly alone?: boolean;
}

/** Work whose pieces end when the test says so. */
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
    /** Ends a piece, and lets the schedule go on. */
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

/** Every promise that can go on has gone on when the event loop turns. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("at most so many steps run at once, in their order, and the next starts when any ends", async () => {
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

test("a step that is alone waits for those before it, and those after it wait for it", async () => {
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

test("an error of the runner is reported once everything has ended", async () => {
  const { works, started, run, end, fail } = pieces({ name: "a" }, { name: "b" }, { name: "c" });
  const all = rejection(schedule(works, 2, run));
  await settled();
  await fail("a");
  expect(started).toEqual(["a", "b", "c"]);
  await end("b");
  await end("c");
  expect(await all).toMatchObject({ message: "a" });
});
