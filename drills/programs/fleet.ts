/** `fleet.js <WORKFLOW.md> <state folder>`: a fleet. It ends on SIGTERM, or gets killed. */
import { Fleet } from "@codexwright/orchestrator";

const [workflow = "", data = ""] = process.argv.slice(2);
const fleet = await Fleet.open({ workflow, data });
process.once("SIGTERM", () => void fleet.close());
console.log("ready");
await fleet.done;
