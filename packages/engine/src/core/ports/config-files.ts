import type { ConfigEdit, ConfigLayerSource } from "codexwright/protocol";
import type { ConfigTable } from "../config-table.ts";

/** Reads and writes the configuration that clients see and change. */
export interface ConfigFiles {
  /**
   * Returns the layers for a folder, from the weakest to the strongest. Without a folder, no project counts. Rejects with
   * an error whose `code` is "config_invalid" if a layer cannot be read.
   */
  layers(cwd: string | undefined): Promise<readonly ConfigFileLayer[]>;
  /**
   * Changes the configuration of the user, with all edits or none. Rejects with a `ConfigWriteError` if the edits are not
   * allowed, and with a "config_invalid" if the configuration cannot be read.
   */
  write(edits: readonly ConfigEdit[], options: ConfigWriteOptions): Promise<ConfigWritten>;
}

export interface ConfigFileLayer {
  readonly name: ConfigLayerSource;
  readonly table: ConfigTable;
  /** Why the layer does not count, if it does not. */
  readonly disabledReason: string | null;
}

export interface ConfigWriteOptions {
  /** The file to change; default: that of the user. No other file can be changed. */
  readonly file?: string | undefined;
  /** The version that the configuration must have. */
  readonly expectedVersion?: string | undefined;
}

export interface ConfigWritten {
  readonly file: string;
  /** The layer as it was written. */
  readonly layer: ConfigFileLayer;
}
