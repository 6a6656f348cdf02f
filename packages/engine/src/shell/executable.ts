import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { nulByte, refusal } from "./start-failure.ts";

/** The limits of Linux for one argument, and for all arguments and variables with the usual stack of 8 MiB. */
const MAX_STRING = 128 * 1024;
const MAX_STRINGS = 2 * 1024 * 1024;

/**
 * Checks what the system would check, and returns the path of the program. A terminal's fork reports a failed start
 * only as an exit code.
 */
export function checkStart(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): string {
  const strings = [...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  if ([...strings, cwd].some((text) => text.includes("\0"))) throw nulByte();
  let total = 0;
  for (const text of strings) {
    const size = Buffer.byteLength(text) + 1;
    total += size + 8; // and a pointer to it
    if (size > MAX_STRING || total > MAX_STRINGS) throw refusal("E2BIG");
  }
  const folder = statSync(cwd, { throwIfNoEntry: false });
  if (!folder) throw refusal("ENOENT");
  if (!folder.isDirectory()) throw refusal("ENOTDIR");
  const program = findExecutable(argv[0] ?? "", env["PATH"], cwd);
  if (program === undefined) throw refusal("ENOENT");
  return program;
}

/** Returns the path of a program, as `execvp` finds it. Entries of PATH that are not absolute are skipped. */
export function findExecutable(name: string, search: string | undefined, cwd: string): string | undefined {
  if (name === "") return undefined;
  if (name.includes("/")) {
    const file = path.resolve(cwd, name);
    if (isExecutable(file)) return file;
    throw refusal(statSync(file, { throwIfNoEntry: false }) ? "EACCES" : "ENOENT");
  }
  const folders = (search ?? "/usr/local/bin:/usr/bin:/bin").split(path.delimiter);
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
