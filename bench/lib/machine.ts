import { readFileSync } from "node:fs";
import { availableParallelism, loadavg, totalmem } from "node:os";
import path from "node:path";
import { ROOT } from "../../scripts/steps.ts";
import { peerVersions } from "../peers/list.ts";

/**
 * The facts that a reader needs to compare results: date, versions, and the class of machine. Contains no
 * host names and no paths.
 */
export interface Surroundings {
  /** The date, `YYYY-MM-DD`. */
  readonly date: string;
  /** Names and versions of the measured packages. */
  readonly versions: readonly (readonly [name: string, version: string])[];
  readonly machine: string;
}

export function surroundings(): Surroundings {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return {
    date: new Date().toISOString().slice(0, 10),
    versions: [
      ["Node", process.versions.node],
      ["codexwright", versionOf("packages/codexwright")],
      ["Codex", versionOf("node_modules/@openai/codex")],
      ...peerVersions(),
    ],
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${gigabytes} GB of memory, load average ${loadavg()[0]?.toFixed(1)} at the start`,
  };
}

function versionOf(folder: string): string {
  const manifest = readFileSync(path.join(ROOT, folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
