/** Puts the page into a folder, bundled by the command of the recipe. */
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

export const COMMAND = "npx rolldown page.ts --platform browser --no-code-splitting --file";

/** @param source the folder of the recipe */
export async function bundlePage(source: string, folder: string): Promise<void> {
  const [npx = "", ...args] = COMMAND.split(" ");
  await promisify(execFile)(npx, [...args, path.join(folder, "dist/page.js")], { cwd: source });
  copyFileSync(path.join(source, "index.html"), path.join(folder, "index.html"));
}
