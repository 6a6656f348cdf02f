import type { Figures } from "./lib/sample.ts";

type Program = (...args: string[]) => Promise<Figures>;

/** The programs of samples. Each sample loads what it measures and nothing else. */
export const PROGRAMS: Readonly<Record<string, () => Promise<{ run: Program }>>> = {
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
  engine: () => import("./programs/engine.ts"),
  folder: () => import("./programs/folder.ts"),
  fleet: () => import("./programs/fleet.ts"),
  growth: () => import("./programs/growth.ts"),
};
