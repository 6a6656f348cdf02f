import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The figures that a sample's process reports, by name. */
export type Figures = Readonly<Record<string, number>>;

/** Something to measure: a program of `bench/programs` with its arguments. */
export interface Subject {
  readonly name: string;
  readonly program: string;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
  /** The Node that runs the program. Default: this one. */
  readonly node?: string;
  /** Time limit; default: one minute. */
  readonly limitMs?: number;
  /** The maximum number of samples, if it is lower than for other subjects. */
  readonly times?: number;
  /** If true, a failure of this subject only lists it as absent. A failure of any other subject ends the run. */
  readonly optional?: boolean;
}

/** Why a subject has no figures. */
export interface Absent {
  readonly absent: string;
}

/** The user interrupted the run. */
class Interrupted extends Error {}

/** The maximum number of samples of any subject. */
export const sampling: { most: number } = { most: Number.POSITIVE_INFINITY };

const CHILD = fileURLToPath(new URL("../child.js", import.meta.url));

/** Runs a subject once in its own process, so that its heap does not affect the next sample. */
export function sample(subject: Subject): Figures {
  const { program, args = [], nodeFlags = [], node = process.execPath, limitMs = 60_000 } = subject;
  const start = performance.now();
  const { status, signal, stdout, stderr, error } = spawnSync(node, [...nodeFlags, CHILD, program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    timeout: limitMs,
  });
  const processMs = performance.now() - start;
  if ((error as { code?: string } | undefined)?.code === "ETIMEDOUT") {
    throw new Error(`not done after ${limitMs / 1_000} s`);
  }
  if (error) throw error;
  if (signal === "SIGINT" || signal === "SIGTERM") throw new Interrupted(`ended by ${signal}`);
  if (status !== 0) throw new Error(`failed (${signal ?? status}): ${reasonIn(stderr)}`);
  return { processMs, ...(JSON.parse(stdout) as Figures) };
}

/** Like {@link sampleAll}, but an optional subject may fail, and is then not tried again. */
export function sampleSome(
  subjects: readonly Subject[],
  times: number,
): readonly (readonly Figures[] | Absent)[] {
  const outcomes = subjects.map((): Figures[] | Absent => []);
  for (let round = 0; round < Math.min(times, sampling.most); round++) {
    for (const [at, subject] of subjects.entries()) {
      const outcome = outcomes[at];
      if (!Array.isArray(outcome) || round >= (subject.times ?? times)) continue;
      try {
        outcome.push(sample(subject));
      } catch (error) {
        if (!subject.optional || error instanceof Interrupted) throw error;
        outcomes[at] = { absent: error instanceof Error ? error.message : String(error) };
      }
    }
  }
  return outcomes;
}

/** Alternates between subjects, so that a busy moment of the machine affects all of them equally. */
export function sampleAll(subjects: readonly Subject[], times: number): readonly (readonly Figures[])[] {
  const samples = subjects.map((): Figures[] => []);
  for (let round = 0; round < Math.min(times, sampling.most); round++) {
    for (const [at, subject] of subjects.entries()) samples[at]?.push(sample(subject));
  }
  return samples;
}

/**
 * The message of the error that ended a Node process, or the last line of another program's output, without
 * paths.
 */
export function reasonIn(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const said = lines.find((line) => /^\S*Error\b.*: /.test(line)) ?? lines.at(-1) ?? "";
  return said.replaceAll(/(file:\/\/)?(\/[\w@.+-]+){2,}/g, "(path)").slice(0, 160);
}
