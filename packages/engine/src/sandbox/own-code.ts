import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "../core/confinement/paths.ts";

/** Our packages: one, and all of a scope. They may be linked from `node_modules` to other folders. */
const PACKAGE = "codexwright";
const SCOPE = "@codexwright";

let found: readonly string[] | undefined;

/**
 * Returns the files and folders of the running server: Node, the program, our packages, and every `node_modules` folder
 * from which they load packages, also those that do not exist yet. A command that could write there would run code
 * outside the sandbox.
 */
export function ownCode(): readonly string[] {
  return (found ??= [...new Set([...ofPackages(), ...ofProgram(), real(process.execPath)])]);
}

function ofPackages(): string[] {
  const own = packageOf(real(fileURLToPath(import.meta.url)));
  return [own, ...modulesAbove(own)].flatMap(withLinked);
}

/** The program that was started: its package if it is one of ours, otherwise its file. */
function ofProgram(): string[] {
  const started = process.argv[1];
  if (started === undefined || !existsSync(started)) return [];
  const file = real(started);
  const folder = packageOf(file);
  return [isOurs(folder) ? folder : file, ...modulesAbove(path.dirname(file))].flatMap(withLinked);
}

/** A folder, and the places of our packages that are linked from it. */
function withLinked(folder: string): string[] {
  const scope = path.join(folder, SCOPE);
  const scoped = existsSync(scope) ? readdirSync(scope).map((name) => path.join(scope, name)) : [];
  const linked = [path.join(folder, PACKAGE), ...scoped].filter((each) => existsSync(each)).map(real);
  return [folder, ...linked.filter((each) => !isWithin(each, folder))];
}

function packageOf(file: string): string {
  for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
    if (existsSync(path.join(at, "package.json"))) return at;
  }
  return file;
}

function isOurs(folder: string): boolean {
  try {
    const { name } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
      name?: unknown;
    };
    return name === PACKAGE || (typeof name === "string" && name.startsWith(`${SCOPE}/`));
  } catch {
    return false;
  }
}

/** The `node_modules` folders in which Node looks for the packages of a folder. */
function modulesAbove(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    folders.push(path.basename(at) === "node_modules" ? at : path.join(at, "node_modules"));
    if (at === path.dirname(at)) return folders;
  }
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
