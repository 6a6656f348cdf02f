/** `child.js <drill> <form> <seed>`: one drill in a process of its own, which must then end by itself. */
import type { Form } from "./lib/drill.ts";
import { DrillRun } from "./lib/drill-run.ts";
import { held, heldSince } from "./lib/held.ts";
import { DRILLS } from "./lib/drills.ts";
import { soak } from "./soak/soak.ts";

const [name, form, seed] = process.argv.slice(2);
const drill = [...DRILLS, soak].find((each) => each.name === name);
if (!drill) throw new Error(`no drill is called "${name ?? ""}"`);

// Made when they are first looked at, by whomever.
void [process.stdout, process.stderr];
const before = held();
const run = new DrillRun(form as Form, Number(seed));
let failure: unknown;
try {
  await drill.run(run);
} catch (error) {
  failure = error;
}
const left = [...(await heldSince(before)), ...run.pending.map((what) => `still waiting for ${what}`)];
console.log(JSON.stringify(run.report(left)));
// What was seen until then is worth telling all the same.
if (failure !== undefined) throw failure;
