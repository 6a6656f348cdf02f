import type { SettingsReader } from "./reader.ts";

/** The names of files with instructions of a project, and the most bytes that the model gets. */
export interface ProjectDocs {
  /** The names of the files. The first one that a folder has counts. */
  readonly names: readonly string[];
  /** The most bytes of all files together. */
  readonly maxBytes: number;
}

const NAMES = ["AGENTS.override.md", "AGENTS.md"];
const DEFAULT_BYTES = 32 * 1024;
/** More would fill the window of every model. */
const MOST_BYTES = 1024 * 1024;
/** Each name is looked up in each folder of the project. */
const MOST_NAMES = 32;

/** Reads the settings of instructions. A name cannot lead to another folder. */
export function projectDocs(reader: SettingsReader): ProjectDocs {
  const more = reader.texts("project_doc_fallback_filenames") ?? [];
  const plain = more.filter((name) => name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name));
  return {
    names: [...new Set([...NAMES, ...plain])].slice(0, MOST_NAMES),
    maxBytes: Math.min(reader.count(0, "project_doc_max_bytes") ?? DEFAULT_BYTES, MOST_BYTES),
  };
}
