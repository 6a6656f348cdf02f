import path from "node:path";
import { HeldFolder } from "codexwright/internal/node";
import { TrackerError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { DEFAULT_PATH } from "./profile.ts";

/** Returns the problem of `provider.path`, if there is one. Does not look at the disk. */
export function pathProblem(provider: JsonObject): string | undefined {
  const place = placeOf(provider);
  return typeof place === "string" ? place : undefined;
}

/** Returns the parts of the path from the folder of WORKFLOW.md to the issues. */
export function pathOf(provider: JsonObject): readonly string[] {
  const place = placeOf(provider);
  if (typeof place !== "string") return place;
  throw new TrackerError("invalid_tracker_config", `tracker.provider: ${place}`);
}

/** Returns the parts of the path, or its problem. */
function placeOf({ path: value = DEFAULT_PATH }: JsonObject): readonly string[] | string {
  if (typeof value !== "string" || value.trim() === "") return "path must be a text";
  if (value.includes("\0")) return "path must not contain NUL";
  if (path.isAbsolute(value) || path.win32.isAbsolute(value))
    return "path must be relative to the folder of WORKFLOW.md";
  const parts = path.posix
    .normalize(value.replaceAll(path.sep, "/"))
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const isBelow = parts.length > 0 && parts[0] !== "..";
  return isBelow ? parts : "path must be below the folder of WORKFLOW.md";
}

/**
 * Opens the folder of the issues, one part of the path after the other, without following links. The caller must close
 * it. Every failure is an error: a folder that is missing may come back, for example when its disk is mounted again.
 */
export function openIssues(home: string, parts: readonly string[]): HeldFolder {
  let held: HeldFolder | undefined;
  try {
    // The operator chose this path, so it may contain links.
    held = HeldFolder.open(path.join(home, "/."));
    for (const part of parts) {
      if (held.look(part)?.isSymbolicLink())
        throw new TrackerError(
          "invalid_tracker_config",
          `tracker.provider: path leads through a link (${part})`,
        );
      const next = held.folder(part);
      held.close();
      held = next;
    }
    return held;
  } catch (error) {
    held?.close();
    throw readError(`the folder ${parts.join("/")}`, error);
  }
}

/** Converts an error of the file system. */
export function readError(what: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof TrackerError || code === undefined) return error;
  return new TrackerError("tracker_request", `${what} cannot be read (${code})`, { cause: error });
}
