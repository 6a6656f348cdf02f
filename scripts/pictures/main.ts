/**
 * `npm run pictures [-- name …]`: writes docs/pictures, each picture in light and in dark. The pictures of terminals
 * and of turns are recorded from runs of the real Codex with a scripted model. The plots and the pages of the
 * benchmarks are made from docs/benchmarks/data.json.
 */
import { mkdirSync } from "node:fs";
import { publish } from "../../bench/lib/publish.ts";
import { readResults } from "../../bench/lib/results.ts";
import { gatewaySvg } from "./diagrams/gateway.ts";
import { layersSvg, packagesSvg } from "./diagrams/layers.ts";
import { recordTurns } from "./diagrams/record-turns.ts";
import { turnsSvg } from "./diagrams/turns.ts";
import { PICTURES, writePicture, type Draw } from "../svg/files.ts";
import { terminalSvg } from "./terminal/render.ts";
import { approvalScene, demoScene } from "./terminal/scenes.ts";

const SOURCES: Readonly<Record<string, () => Promise<Draw> | Draw>> = {
  demo: async () => terminal(await demoScene()),
  approval: async () => terminal(await approvalScene()),
  turns: async () => {
    const events = await recordTurns();
    return (theme) => turnsSvg(events, theme);
  },
  gateway: () => gatewaySvg,
  layers: () => layersSvg,
  packages: () => packagesSvg,
};

function terminal(picture: Parameters<typeof terminalSvg>[0]): Draw {
  return (theme) => terminalSvg(picture, theme);
}

const wanted = process.argv.slice(2);
const known = [...Object.keys(SOURCES), "benchmarks"];
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`unknown picture "${unknown}": use ${known.join(", ")}`);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

mkdirSync(PICTURES, { recursive: true });
for (const [name, source] of Object.entries(SOURCES)) {
  if (isWanted(name)) writePicture(name, await source());
}
if (isWanted("benchmarks")) {
  publish(readResults());
}
