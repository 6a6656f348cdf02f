import type { JsonObject } from "../../domain/json.ts";
import type { TrackerKind } from "../../domain/tracker.ts";
import { FolderTracker } from "./folder-tracker.ts";
import { pathProblem } from "./place.ts";
import { FOLDER_PROFILE } from "./profile.ts";

/** Issues as Markdown files in a folder. */
export const folderKind: TrackerKind = {
  profile: FOLDER_PROFILE,
  check: (provider: JsonObject) => [pathProblem(provider)].filter((each) => each !== undefined),
  open: (config) => Promise.resolve(new FolderTracker(config)),
};
