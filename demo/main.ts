/**
 * `npm start [-- "task"]`: runs the command `codexwright run` from a clone.
 *
 * Without a login and a provider it adds `--demo` and prints that it did. The command itself never does that. `npm start
 * -- app-server` shows our own app-server beside Codex, and `npm start -- fleet` a fleet of agents. If the first word is another command of `codexwright`, runs that
 * command.
 */
import { COMMAND_NAMES } from "../packages/cli/src/shared/command-names.ts";
import { codexHomeOf, readLoginState } from "../packages/cli/src/shared/login-state.ts";

const given = process.argv.slice(2);
const [first = ""] = given;

if (first === "app-server" && given.length === 1) {
  const { appServerDemo } = await import("./app-server.ts");
  await appServerDemo();
} else if (first === "fleet" && given.length === 1) {
  const { fleetDemo } = await import("./fleet.ts");
  await fleetDemo();
} else {
  process.argv.splice(2, Infinity, ...(COMMAND_NAMES.includes(first) ? given : await taskOf()));
  await import(new URL("../../packages/cli/dist/codexwright.js", import.meta.url).href);
}

/** The command line for a task, or for a look at this repository. */
async function taskOf(): Promise<string[]> {
  const isReady = (await readLoginState(codexHomeOf(process.env))) === "ready";
  if (!isReady && !given.includes("--help")) {
    process.stderr.write("Codex is not logged in, so this runs `codexwright run --demo`.\n");
    process.stderr.write('For your own task: npx codex login && npm start -- "your task"\n');
  }
  // Without a task of the user, Codex may only read.
  const look = ["--sandbox", "read-only", "Say in three sentences what this repository is."];
  const task = given.length > 0 || !isReady ? given : look;
  const folder = process.env["INIT_CWD"] ?? process.cwd();
  return ["run", ...(isReady ? [] : ["--demo"]), "--cwd", folder, ...task];
}
