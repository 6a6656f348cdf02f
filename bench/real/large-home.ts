import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Raw } from "./raw.ts";
import { HELLO } from "./words.ts";
import type { World } from "./world.ts";

/** How many threads begin on a day. */
const PER_DAY = 40;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1_000;
const LONGEST = 1_000;
/** A word that one thread of a hundred contains. */
export const RARE = "marmalade";

/**
 * Adds threads to a home. Each file is a copy of the file of a thread that Codex has run, with an id, a time and a text
 * of its own. The server has never seen the files, as in a home that was copied from another machine.
 */
export async function fillHome(world: World, threads: number): Promise<void> {
  const { name, text } = await template(world);
  const [, id = ""] = /-([0-9a-f-]{36})\.jsonl$/.exec(name) ?? [];
  for (let n = 0; n < threads; n++) {
    const at = new Date(FIRST_DAY + Math.floor(n / PER_DAY) * DAY_MS + (n % PER_DAY) * 60_000).toISOString();
    const own = `${id.slice(0, 9)}${hex(n, 4)}-7${hex(n >> 16, 3)}${id.slice(18)}`;
    const folder = path.join(world.codexHome, "sessions", ...at.slice(0, 10).split("-"));
    mkdirSync(folder, { recursive: true });
    const words = `${HELLO} ${n}${n % 100 === 0 ? ` ${RARE}` : ""}`;
    const copy = text
      .replaceAll(id, own)
      .replaceAll(JSON.stringify(HELLO), JSON.stringify(words))
      .replaceAll(/"timestamp":"[^"]*"/g, `"timestamp":"${at}"`);
    writeFileSync(path.join(folder, `rollout-${at.slice(0, 19).replaceAll(":", "-")}-${own}.jsonl`), copy);
  }
}

/** Removes what the servers remember of the threads of a home. */
export function forget(home: string): void {
  for (const name of readdirSync(home)) {
    if (/^(state|thread_history)_\d+\.sqlite/.test(name)) rmSync(path.join(home, name));
  }
  rmSync(path.join(home, "codexwright"), { recursive: true, force: true });
}

async function template(world: World): Promise<{ name: string; text: string }> {
  await using codex = new Raw(world);
  await codex.connect();
  await (await codex.startThread()).run(HELLO);
  const folder = path.join(world.codexHome, "sessions");
  const name = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((each) =>
    each.endsWith(".jsonl"),
  );
  if (name === undefined) throw new Error("Codex has written no rollout file");
  return { name, text: shortened(readFileSync(path.join(folder, name), "utf8")) };
}

/** Cuts texts that are the same in all files, such as instructions, so that the home does not fill the disk. */
function shortened(text: string): string {
  const short = (_: string, value: unknown): unknown =>
    typeof value === "string" && value.length > LONGEST ? value.slice(0, LONGEST) : value;
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => `${JSON.stringify(JSON.parse(line, short))}\n`).join("");
}

function hex(n: number, digits: number): string {
  return (n & (16 ** digits - 1)).toString(16).padStart(digits, "0");
}
