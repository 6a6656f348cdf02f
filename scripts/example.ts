/** Runs an example on the real Codex with a scripted model, offline: `npm run example -- approvals`. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { perform } from "../packages/test-support/src/examples/run.ts";
import { ROOT } from "./steps.ts";
import { fleetNode } from "./suite.ts";

const [name = ""] = process.argv.slice(2).map((each) => each.replace(/^examples\/|\.ts$/g, ""));
const file = path.join(ROOT, `build/examples/${name}.js`);
if (name === "" || !existsSync(path.join(ROOT, `examples/${name}.ts`))) {
  const names = readdirSync(path.join(ROOT, "examples"), { recursive: true, encoding: "utf8" })
    .filter((each) => each.endsWith(".ts"))
    .map((each) => each.slice(0, -".ts".length).replaceAll(path.sep, "/"));
  console.error(`Usage: npm run example -- <name>\nExamples: ${names.toSorted().join(", ")}`);
  process.exitCode = 2;
} else {
  console.error(`Running examples/${name}.ts on the real Codex, with a script in place of the model.`);
  // Fleets need a newer Node than the library.
  const node = name === "fleet" ? await fleetNode() : process.execPath;
  const { code } = await perform(file, name, { node, output: (text) => void process.stdout.write(text) });
  process.exitCode = code ?? 1;
}
