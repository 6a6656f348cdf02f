import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a sample's process reports, by name. */
export type Figures = Readonly<Record<string, number>>;

/** One thing to measure: a program of `bench/programs` with its arguments. */
export interface Subject {
  readonly name: string;
  readonly program: string;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
}

const CHILD = fileURLToPath(new URL("../child.js", import.meta.url));

/** Runs a subject once, in a process of its own: what one leaves behind in a heap must not colour the next. */
export function sample(subject: Subject): Figures {
  const { name, program, args = [], nodeFlags = [] } = subject;
  const start = performance.now();
  const { status, signal, stdout, error } = spawnSync(
    process.execPath,
    [...nodeFlags, CHILD, program, ...args],
    { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" },
  );
  const processMs = performance.now() - start;
  if (error) throw error;
  if (status !== 0) throw new Error(`"${name}" failed (${signal ?? status})`);
  return { processMs, ...(JSON.parse(stdout) as Figures) };
}

/** Takes turns, so that a busy moment of the machine hits all subjects alike. */
export function sampleAll(subjects: readonly Subject[], times: number): readonly (readonly Figures[])[] {
  const samples = subjects.map((): Figures[] => []);
  for (let round = 0; round < times; round++) {
    for (const [at, subject] of subjects.entries()) samples[at]?.push(sample(subject));
  }
  return samples;
}
