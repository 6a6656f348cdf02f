import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The program of the other process: folder and link alternate at `<dir>/swapped`, without a pause, until its input
 * ends. Anything in the way, such as a folder that a write created meanwhile, is moved aside.
 */
const ATTACKER = `
const { renameSync } = require("node:fs");
const [dir] = process.argv.slice(-1);
let aside = 0;
function move(from, to) {
  const [source, target] = [dir + "/" + from, dir + "/" + to];
  try { return renameSync(source, target); } catch {}
  try { renameSync(target, dir + "/aside/" + aside++); } catch {}
  try { renameSync(source, target); } catch {}
}
function swap() {
  move("swapped", "folder");
  move("link", "swapped");
  move("swapped", "link");
  move("folder", "swapped");
}
function round() {
  for (let turn = 0; turn < 200; turn++) swap();
  setImmediate(round);
}
process.stdin.on("end", () => process.exit()).resume();
process.stdout.write("ready", round);
`;

/** A process that constantly swaps one of our folders for a link to one outside, and back. */
export interface Swapping extends AsyncDisposable {
  readonly pid: number | undefined;
}

/** Creates `<dir>/swapped`, a folder with these files, and starts the process that swaps it for a link to `outside`. */
export async function swapping(dir: string, outside: string, names: readonly string[]): Promise<Swapping> {
  for (const made of ["swapped", "aside"]) mkdirSync(path.join(dir, made));
  for (const name of names) writeFileSync(path.join(dir, "swapped", name), "inside");
  symlinkSync(outside, path.join(dir, "link"));
  const child = spawn(process.execPath, ["-e", ATTACKER, dir], { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise<void>((resolve) => {
    child.stdout.once("data", () => resolve());
  });
  return {
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => {
        child.once("close", resolve);
      });
      child.stdin.end();
      await ended;
    },
  };
}
