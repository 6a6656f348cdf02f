import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { perform, type Performed, type PerformOptions } from "./examples/run.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/**
 * Runs a built example with its story. Fails the test if the example fails, writes to stderr, or sends the
 * model a request that the story does not expect.
 */
export async function play(example: string, options: PerformOptions = {}): Promise<Performed> {
  const performed = await perform(path.join(ROOT, `build/examples/${example}.js`), example, options);
  const { code, stderr, unexpected } = performed;
  expect({ code, stderr, unexpected }).toEqual({ code: 0, stderr: "", unexpected: [] });
  return performed;
}

/** The output that a page of the guide shows, line by line. */
export function shown(page: string): string[] {
  const text = readFileSync(path.join(ROOT, `docs/guide/${page}.md`), "utf8");
  return [...text.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    block.trimEnd().split("\n"),
  );
}
