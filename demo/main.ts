/**
 * `npm start [-- "task"]`: runs one turn of the real Codex app-server and shows what happens.
 *
 * With a login or a provider of the user's it uses that; else a scripted model stands in for the real one.
 */
import { explain } from "./explain.ts";
import { codexHomeOf, readLoginState } from "./login-state.ts";
import { usageLine } from "./render.ts";
import { listenForStop, OUTPUT_GONE } from "./stop.ts";
import { styleFor } from "./style.ts";
import { transcript } from "./transcript.ts";
import { inScriptedWorld, inUserWorld, type World } from "./worlds.ts";

const USAGE = `npm start                    show a turn
npm start -- "your task"     let Codex work on a task in this folder (needs a login: npx codex login)
`;

/** Between the words of the scripted model, for eyes only. */
const READING_PACE_MS = 25;

const style = styleFor(process.stdout, process.env);
const stop = listenForStop();

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [first = ""] = args;
  if (first.startsWith("-")) {
    const asked = first === "--help" || first === "-h";
    (asked ? process.stdout : process.stderr).write(asked ? USAGE : `There is no option ${first}.\n${USAGE}`);
    return asked ? 0 : 2;
  }
  const task = args.join(" ").trim() || undefined;
  try {
    const state = await readLoginState(codexHomeOf(process.env));
    if (state === "ready") await inUserWorld(task, process.env["INIT_CWD"] ?? process.cwd(), show);
    else await inScriptedWorld(task, process.stdout.isTTY ? READING_PACE_MS : 0, show);
    return stop.exitCode();
  } catch (error) {
    if (stop.signal.aborted) {
      if (stop.exitCode() !== OUTPUT_GONE) process.stderr.write("\nInterrupted.\n");
      return stop.exitCode();
    }
    process.stderr.write(`\n${styleFor(process.stderr, process.env).red("error")} ${explain(error)}\n`);
    return 1;
  }
}

/** Runs the turn of a world and prints it as it goes. */
async function show({ codex, folder, task, notice, next }: World): Promise<void> {
  const { signal, atOnce } = stop;
  atOnce.addEventListener("abort", () => void codex.disconnect());
  const print = (text: string): boolean => process.stdout.write(text);
  print(`${style.bold("codexwright")} ${style.dim(`· codex app-server ${codex.server.version}`)}\n`);
  print(`${style.dim(notice)}\n\n${style.cyan("›")} ${style.bold(task)}\n`);

  const thread = await codex.startThread({}, { signal });
  const turn = thread.turn(task, { signal });
  const textOf = transcript(folder, style);
  for await (const event of turn) print(textOf(event));
  const { usage, durationMs } = await turn.completed;

  print(`\n${style.dim(usageLine(usage, durationMs))}\n${style.dim("thread")} ${thread.id}\n`);
  print(`\n${next(thread.id).join("\n")}\n`);
}
