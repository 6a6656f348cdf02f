/** Runs one sample, `child.js <program> [arguments]`, and prints its figures as one line of JSON. */
import { PROGRAMS } from "./programs.ts";

const [name = "", ...args] = process.argv.slice(2);
const load = PROGRAMS[name];
if (!load) throw new Error(`no sample is called "${name}"`);
const { run } = await load();
console.log(JSON.stringify(await run(...args)));
