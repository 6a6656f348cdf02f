/**
 * `npm run quality -- [-c key=value] [--json] [--sandbox mode] [--minutes n] [task …]`: lets a model work on small tasks
 * and prints how many it solved, with its tokens, turns and time. The model is that of `config.toml` and of `-c`.
 */
import { parseArgs } from "node:util";
import { INSTRUCTIONS_VERSION } from "@codexwright/engine/internal";
import { report } from "./lib/report.ts";
import { runTask, type Outcome } from "./lib/run-task.ts";
import { TASKS } from "./tasks/index.ts";

const SANDBOXES = ["read-only", "workspace-write", "danger-full-access"] as const;

const { values, positionals } = parseArgs({
  options: {
    config: { type: "string", short: "c", multiple: true, default: [] },
    json: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    sandbox: { type: "string", default: "workspace-write" },
    minutes: { type: "string", default: "10" },
  },
  allowPositionals: true,
});
const sandbox = SANDBOXES.find((mode) => mode === values.sandbox);
const minutes = Number(values.minutes);
const unknown = positionals.find((name) => !TASKS.some((task) => task.name === name));
if (unknown !== undefined) throw new Error(`no task is called "${unknown}": --list prints the names`);
if (!sandbox) throw new Error(`--sandbox must be one of ${SANDBOXES.join(", ")}`);
if (!(minutes > 0)) throw new Error("--minutes must be a positive number");

const chosen = positionals.length === 0 ? TASKS : TASKS.filter(({ name }) => positionals.includes(name));
if (values.list) for (const { name, prompt } of chosen) console.log(`${name}: ${prompt}`);
else {
  const outcomes: Outcome[] = [];
  for (const task of chosen) {
    const outcome = await runTask(task, { overrides: values.config, sandbox, limitMs: minutes * 60_000 });
    outcomes.push(outcome);
    if (values.json) console.log(JSON.stringify({ ...outcome, instructions: INSTRUCTIONS_VERSION }));
    else console.error(`${outcome.solved ? "solved" : "failed"} ${task.name}`);
  }
  if (!values.json) console.log(`instructions ${INSTRUCTIONS_VERSION}\n${report(outcomes)}`);
  if (outcomes.some(({ solved }) => !solved)) process.exitCode = 1;
}
