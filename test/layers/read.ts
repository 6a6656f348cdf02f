import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { filesBelow } from "@codexwright/test-support/references";
import type { Repository } from "./check.ts";
import type { SourceFile } from "./imports.ts";
import { FOR_USERS } from "./table.ts";

const ENDINGS = [".ts", ".mjs", ".md"];

/** Reads the files to check: `src` of every published package, and the pages and programs for users. */
export function readRepository(root: string): Repository {
  const read = (file: string): SourceFile => ({
    file: path.relative(root, file).replaceAll(path.sep, "/"),
    text: readFileSync(file, "utf8"),
  });
  const packages = readdirSync(path.join(root, "packages"))
    .map((name) => path.join(root, "packages", name))
    .filter(isPublished);
  const sources = packages
    .map((folder) => path.join(folder, "src"))
    .filter((src) => existsSync(src))
    .flatMap((src) => filesBelow(src, [".ts"]));
  const places = [root, ...packages]
    .flatMap((folder) => FOR_USERS.map((name) => path.join(folder, name)))
    .filter((place) => existsSync(place));
  const forUsers = places.flatMap((place) =>
    statSync(place).isFile() ? [place] : filesBelow(place, ENDINGS),
  );
  return { sources: sources.map(read), forUsers: forUsers.map(read) };
}

function isPublished(folder: string): boolean {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    private?: boolean;
  };
  return manifest.private !== true;
}
