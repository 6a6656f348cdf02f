/** Runs one sample, `child.js <program> [arguments]`, and prints its figures as one line of JSON. */
import type { Figures } from "./lib/sample.ts";

type Program = (...args: string[]) => Promise<Figures>;

// Each sample loads what it measures and nothing else.
const PROGRAMS: Readonly<Record<string, () => Promise<{ run: Program }>>> = {
  raw: () => import("./programs/raw.ts"),
  ours: () => import("./programs/ours.ts"),
  stalled: () => import("./programs/stalled.ts"),
  import: () => import("./programs/import.ts"),
  parse: () => import("./programs/parse.ts"),
  decode: () => import("./programs/decode.ts"),
  line: () => import("./programs/line.ts"),
  "raw-read": () => import("./programs/raw-read.ts"),
  "raw-line": () => import("./programs/raw-line.ts"),
  requests: () => import("./programs/requests.ts"),
  ask: () => import("./programs/ask.ts"),
  peer: () => import("./programs/peer.ts"),
  translate: () => import("./programs/translate.ts"),
  "codex-acp": () => import("./programs/codex-acp.ts"),
  real: () => import("./programs/real.ts"),
  growth: () => import("./programs/growth.ts"),
};

const [name = "", ...args] = process.argv.slice(2);
const load = PROGRAMS[name];
if (!load) throw new Error(`no sample is called "${name}"`);
const { run } = await load();
console.log(JSON.stringify(await run(...args)));
