import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects all unreachable objects, including weakly held ones. */
export async function collectGarbage(): Promise<void> {
  const collect = "Bun" in globalThis ? bunCollector() : nodeCollector();
  for (let round = 0; round < 4; round++) {
    collect();
    // Weak references are cleared between tasks.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function nodeCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

function bunCollector(): () => void {
  const { Bun } = globalThis as unknown as { Bun: { gc(force: boolean): void } };
  return () => Bun.gc(true);
}
