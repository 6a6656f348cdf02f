import type { Appearance, DirectionTimeline, MethodTimeline } from "./timeline.ts";
import type { Direction } from "./methods.ts";
import { printKey } from "./type-print.ts";

/** Prints the runtime table of methods. */
export function emitTable(
  timeline: Record<Direction, DirectionTimeline>,
  versions: readonly string[],
): string {
  const directions = Object.entries(timeline);
  const methods = directions.map(([direction, { methods: all }]) => {
    const lines = [...all].map(
      ([name, method]) => `    ${printKey(name)}: ${printMethod(method, direction)},\n`,
    );
    return `  ${direction}: {\n${lines.join("")}  },\n`;
  });
  const removed = directions.map(([direction, { removed: all }]) => {
    const lines = [...all].map(
      ([name, { since, last }]) => `    ${printKey(name)}: { since: "${since}", last: "${last}" },\n`,
    );
    return `  ${direction}: {${lines.length > 0 ? `\n${lines.join("")}  ` : ""}},\n`;
  });
  return [
    'import type { MethodTable, RemovedMethods } from "./table.ts";\n',
    "/** The Codex versions whose schemas the table knows, oldest first. */",
    `export const SAMPLED_VERSIONS: readonly string[] = ${JSON.stringify(versions).replaceAll(",", ", ")};\n`,
    "/** Every method of this version: its stability, when it appeared, and the same of its params. */",
    `export const METHODS: MethodTable = {\n${methods.join("")}};\n`,
    "/** Methods that older sampled versions had and this one does not. */",
    `export const REMOVED_METHODS: RemovedMethods = {\n${removed.join("")}};\n`,
  ].join("\n");
}

function printMethod(method: MethodTimeline, direction: string): string {
  const fields = [...method.fields].map(([name, field]) => `${printKey(name)}: ${printField(field)}`);
  const stable = method.stableSince === undefined ? "" : ` stableSince: "${method.stableSince}",`;
  const inner = fields.length > 0 ? `{ ${fields.join(", ")} }` : "{}";
  // Codex writes experimental notifications into its stable output, too, so a summary does not show their stability.
  if (!direction.endsWith("Requests")) return `{ since: "${method.since}", fields: ${inner} }`;
  const stability = method.experimental ? "experimental" : "stable";
  return `{ stability: "${stability}", since: "${method.since}",${stable} fields: ${inner} }`;
}

function printField(field: Appearance): string {
  if (field.experimental) return `["${field.since}", "experimental"]`;
  return field.stableSince === undefined ? `"${field.since}"` : `["${field.since}", "${field.stableSince}"]`;
}
