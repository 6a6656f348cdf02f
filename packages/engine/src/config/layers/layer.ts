import type { ConfigTable } from "../../core/config-table.ts";

/** One source of settings. */
export interface ConfigLayer {
  /** In the form of the protocol's `ConfigLayerSource`. */
  readonly name:
    | { readonly type: "system"; readonly file: string }
    | { readonly type: "user"; readonly file: string; readonly profile: string | null }
    | { readonly type: "project"; readonly dotCodexFolder: string }
    | { readonly type: "sessionFlags" };
  /** The file, or "-c". */
  readonly source: string;
  readonly table: ConfigTable;
  /** Why the layer does not count. Its file is not read then. */
  readonly disabledReason: string | null;
}

/** Keys that a project cannot set: Codex ignores them in a project, too. */
export const NOT_FOR_PROJECTS: ReadonlySet<string> = new Set([
  "chatgpt_base_url",
  "model_provider",
  "model_providers",
  "notify",
  "openai_base_url",
  "otel",
  "profile",
  "profiles",
]);
