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
const running = drill.run(run);
// What was seen until it failed is worth telling all the same.
await running.catch(() => {});
const left = [...(await heldSince(before)), ...run.pending.map((what) => `still waiting for ${what}`)];
console.log(JSON.stringify(run.report(left)));
await running;
