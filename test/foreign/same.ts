import { expect } from "vitest";
import type { ModelScript } from "@codexwright/testing";
import type { Open, Program } from "./servers.ts";

/** Runs a client on each server. All results must be those of the first server, and are returned once. */
export async function sameOn<T>(
  servers: readonly Open[],
  script: ModelScript,
  run: (program: Program, open: Open) => Promise<T>,
): Promise<T> {
  const outcomes: T[] = [];
  for (const open of servers) {
    const program = await open(script);
    try {
      outcomes.push(await run(program, open));
    } finally {
      await program[Symbol.asyncDispose]();
    }
  }
  const [first, ...others] = outcomes;
  if (!first) throw new Error("nothing was run");
  for (const other of others) expect(other).toEqual(first);
  return first;
}
