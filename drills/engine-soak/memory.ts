import { readFileSync } from "node:fs";

const PAGE_KIB = 4;
const EVERY_MS = 1_000;
/** Fewer samples do not show a trend. */
const FEWEST = 100;

/** Samples of the memory of a process. */
export class Memory {
  readonly #samples: number[] = [];
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(pid: () => number | undefined) {
    this.#timer = setInterval(() => {
      const kib = residentKib(pid());
      if (kib !== undefined) this.#samples.push(kib / 1_024);
    }, EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get last(): number {
    return this.#samples.at(-1) ?? 0;
  }

  /** The median of each quarter of the time in MiB, or `undefined` if the time was too short. */
  quarters(): readonly [number, number, number, number] | undefined {
    const all = this.#samples;
    if (all.length < FEWEST) return undefined;
    const median = (quarter: number): number => {
      const part = all.slice((all.length * quarter) / 4, (all.length * (quarter + 1)) / 4);
      return part.toSorted((a, b) => a - b)[part.length >> 1] ?? 0;
    };
    return [median(0), median(1), median(2), median(3)];
  }
}

function residentKib(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_KIB;
  } catch {
    return undefined; // The process has ended in the meantime.
  }
}
