import path from "node:path";
import type { Located } from "./located.ts";
import type { Reading, ValueType } from "./types.ts";

const VARIABLE = /^\$([A-Za-z_][A-Za-z0-9_]*)$/;

/** The name of the variable, if the value is exactly `$NAME`. */
export function variableOf(value: unknown): string | undefined {
  return typeof value === "string" ? VARIABLE.exec(value)?.[1] : undefined;
}

/** The value of a variable. An empty one is missing. */
export function lookUp(name: string, { env }: Pick<Reading, "env">): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === "" ? undefined : value;
}

/** A text that can be a secret: `$NAME` is resolved. */
export const secretUrl: ValueType<string | null> = {
  name: "a URL, as `$VAR`",
  read(node, reading, key) {
    if (typeof node.value !== "string" || node.value.trim() === "") return undefined;
    const name = variableOf(node.value);
    if (name === undefined) {
      if (/^[a-z]+:\/\/[^/@\s]*:[^/@\s]+@/i.test(node.value)) reading.warning(literalSecret(node, key));
      return node.value;
    }
    const value = lookUp(name, reading);
    if (value === undefined)
      reading.problem(node.place, `${key} names the variable ${name}, which is not set`);
    return value ?? null;
  },
};

/** A path: `~` and `$NAME` are resolved, and it is relative to WORKFLOW.md. */
export const folderPath: ValueType<string> = {
  name: "a path; `~` and `$VAR` are resolved",
  read(node, reading, key) {
    const { value } = node;
    if (typeof value !== "string" || value.trim() === "" || value.includes("\0")) return undefined;
    let isComplete = true;
    const resolved = value.replaceAll(/\$([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => {
      const found = lookUp(name, reading);
      if (found === undefined) {
        isComplete = false;
        reading.problem(node.place, `${key} names the variable ${name}, which is not set`);
      }
      return found ?? "";
    });
    if (!isComplete) return reading.folder;
    return path.resolve(
      reading.folder,
      resolved.replace(/^~(?=$|\/)/, () => reading.home),
    );
  },
};

export function literalSecret({ place }: Pick<Located, "place">, key: string): string {
  return `line ${place.line}: ${key} contains a secret; write \`$VAR\` and set the variable instead`;
}
