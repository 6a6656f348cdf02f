import path from "node:path";
import type { Invocation } from "../shared/invoke.ts";
import { loadFleet } from "./load.ts";

/** Makes the files of a new fleet. */
export async function init({ args, output, cwd }: Invocation): Promise<void> {
  const { initFleet } = await loadFleet();
  const folder = path.resolve(cwd, args[0] ?? ".");
  const { created, kept } = await initFleet(folder);
  output.json({ type: "init", folder, created, kept });
  for (const name of created) output.text(`created  ${name}\n`);
  for (const name of kept) output.text(`kept     ${name}\n`);
  output.remark("Set the state of an issue to todo, then run `codexwright fleet up`.");
}
