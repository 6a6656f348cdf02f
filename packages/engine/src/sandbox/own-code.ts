import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Our packages, which may be linked from `node_modules` to other folders. */
const PACKAGES = ["codexwright", "engine", "gateway", "testing", "cli"].map((name) =>
  name === "codexwright" ? name : `@codexwright/${name}`,
);

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
  const modules = modulesAbove(own);
  const linked = modules.flatMap((folder) =>
    PACKAGES.map((name) => path.join(folder, name))
      .filter((each) => existsSync(each))
      .map(real),
  );
  return [own, ...linked, ...modules];
}

/** The program that was started: its package if it is one of ours, otherwise its file. */
function ofProgram(): string[] {
  const started = process.argv[1];
  if (started === undefined || !existsSync(started)) return [];
  const file = real(started);
  const folder = packageOf(file);
  return isOurs(folder) ? [folder, ...modulesAbove(folder)] : [file];
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
    return typeof name === "string" && PACKAGES.includes(name);
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
