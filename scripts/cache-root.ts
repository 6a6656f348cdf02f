import { homedir } from "node:os";
import path from "node:path";

/** The folder of installs that tests and scripts share. */
export function cacheRoot(): string {
  const { CODEXWRIGHT_CACHE, XDG_CACHE_HOME } = process.env;
  return CODEXWRIGHT_CACHE ?? path.join(XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "codexwright");
}
