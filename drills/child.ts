/** `child.js <drill> <form> <seed>`: runs one drill in its own process, which must then end by itself. */
import type { Form } from "./lib/drill.ts";
import { DrillRun } from "./lib/drill-run.ts";
import { held, heldSince } from "./lib/held.ts";
import { DRILLS } from "./lib/drills.ts";
import { soak } from "./soak/soak.ts";

const [name, form, seed] = process.argv.slice(2);
const drill = [...DRILLS, soak].find((each) => each.name === name);
if (!drill) throw new Error(`no drill is called "${name ?? ""}"`);

// Create the standard streams now, so that they count as open before the drill. They are created on first
// access.
void [process.stdout, process.stderr];
const before = held();
const run = new DrillRun(form as Form, Number(seed));
const running = drill.run(run);
// After a failure, the observations so far are still reported.
await running.catch(() => {});
const left = [...(await heldSince(before)), ...run.pending.map((what) => `still waiting for ${what}`)];
console.log(JSON.stringify(run.report(left)));
await running;
