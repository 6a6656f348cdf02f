import type { Figures } from "../lib/sample.ts";

const MODULES: Readonly<Record<string, () => Promise<unknown>>> = {
  codexwright: () => import("codexwright"),
  "node:child_process": () => import("node:child_process"),
};

/** Measures the cost of an import. */
export async function run(name: string): Promise<Figures> {
  const start = performance.now();
  await MODULES[name]?.();
  return { importMs: performance.now() - start };
}
