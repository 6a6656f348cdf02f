/**
 * `npm start [-- "task"]`: runs the command `codexwright run` from a clone.
 *
 * Without a login and a provider it adds `--demo` and prints that it did. The command itself never does that.
 */
import { codexHomeOf, readLoginState } from "../packages/cli/src/shared/login-state.ts";

const given = process.argv.slice(2);
const isReady = (await readLoginState(codexHomeOf(process.env))) === "ready";
if (!isReady && !given.includes("--help")) {
  process.stderr.write("Codex is not logged in, so this runs `codexwright run --demo`.\n");
  process.stderr.write('For your own task: npx codex login && npm start -- "your task"\n');
}
// Without a task of the user, Codex may only read.
const look = ["--sandbox", "read-only", "Say in three sentences what this repository is."];
const task = given.length > 0 || !isReady ? given : look;
const folder = process.env["INIT_CWD"] ?? process.cwd();
process.argv.splice(2, Infinity, "run", ...(isReady ? [] : ["--demo"]), "--cwd", folder, ...task);
await import(new URL("../../packages/cli/dist/codexwright.js", import.meta.url).href);
