import type { ParamShapes } from "./param-shapes.ts";
import { printKey } from "./type-print.ts";

/** Prints how the server parses the params of every client request. */
export function emitParams({ methods, types }: ParamShapes): string {
  const methodLines = [...methods].map(([name, type]) => `  ${printKey(name)}: ${JSON.stringify(type)},\n`);
  const typeLines = [...types].map(([name, shape]) => `  ${printKey(name)}: ${print(shape)},\n`);
  return [
    'import type { Shape } from "./shape.ts";\n',
    "/** The type of every method's params, in the order in which the server lists its methods. */",
    `export const PARAMS: Readonly<Record<string, string>> = {\n${methodLines.join("")}};\n`,
    "/** The types that params are made of. */",
    `export const TYPES: Readonly<Record<string, Shape>> = {\n${typeLines.join("")}};\n`,
  ].join("\n");
}

/** Prints plain data in the repository's format. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${printKey(key)}: ${print(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
