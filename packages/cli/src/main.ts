#!/usr/bin/env node
import { quickLine, runQuickly } from "./app-server/quick.ts";

const argv = process.argv.slice(2);
const quick = quickLine(argv);

/** Loads the parser and all declarations of commands. */
async function runCommand(): Promise<number> {
  const [{ run }, { VERSION }] = await Promise.all([import("./program.ts"), import("./version.ts")]);
  return await run(argv, VERSION);
}

process.exitCode = quick ? await runQuickly(quick) : await runCommand();
