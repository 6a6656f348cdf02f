import type {
  ConfigBatchWriteParams,
  ConfigEdit,
  ConfigReadParams,
  ConfigReadResponse,
  ConfigRequirements,
  ConfigValueWriteParams,
  ConfigWriteResponse,
} from "../../../protocol/index.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import type { ServiceHost } from "../service-host.ts";
import { namedConfig } from "./errors.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, needed, shape, type Table } from "../../../rpc/options/table.ts";

/** `mergeStrategy` defaults to "replace"; "upsert" merges tables. */
export interface ConfigWriteOptions
  extends CallOptions, Partial<Omit<ConfigValueWriteParams, "keyPath" | "value">> {}

/** An edit. `mergeStrategy` defaults to "replace". */
export type ConfigChange = Omit<ConfigEdit, "mergeStrategy"> & Partial<Pick<ConfigEdit, "mergeStrategy">>;

export interface ConfigBatchOptions extends CallOptions, Omit<ConfigBatchWriteParams, "edits"> {}

const READ: Table<ConfigReadParams & CallOptions> = {
  ...CALL_OPTIONS,
  includeLayers: is.anything,
  cwd: is.anything,
};

const WRITE: Table<ConfigWriteOptions> = {
  ...CALL_OPTIONS,
  mergeStrategy: is.anything,
  filePath: is.anything,
  expectedVersion: is.anything,
};

const BATCH: Table<ConfigBatchOptions> = {
  ...CALL_OPTIONS,
  filePath: is.anything,
  expectedVersion: is.anything,
  reloadUserConfig: is.anything,
};

const CHANGES: is.Check<readonly ConfigChange[]> = is.listOf(
  shape<ConfigChange>({ keyPath: needed(is.text), value: needed(is.anything), mergeStrategy: is.anything }),
);

/**
 * The server's configuration files.
 *
 * Writes go to the user's config.toml. Pass `expectedVersion`, from a layer of {@link read} or from the last write,
 * to reject with `config_conflict` if the file has changed in the meantime.
 */
export class Config {
  readonly #host: ServiceHost;

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /**
   * Returns the effective configuration and the origin of each value; with `includeLayers` also every file with its
   * version.
   */
  async read(options: ConfigReadParams & CallOptions = {}): Promise<ConfigReadResponse> {
    checkOptions("config.read()", options, READ);
    const { signal, timeoutMs, ...params } = options;
    // 0.98 has no default for `includeLayers`.
    return await this.#host.request(
      "config/read",
      { includeLayers: false, ...params },
      { signal, timeoutMs },
    );
  }

  /** Returns the requirements that an administrator has set, or null. */
  async requirements(call: CallOptions = {}): Promise<ConfigRequirements | null> {
    return (await this.#host.request("configRequirements/read", undefined, call)).requirements;
  }

  /** Sets one value; null removes it. The status "okOverridden" means that another layer overrides the value. */
  async write(
    keyPath: string,
    value: ConfigEdit["value"],
    options: ConfigWriteOptions = {},
  ): Promise<ConfigWriteResponse> {
    is.checkArgument("config.write()", "keyPath", keyPath, is.text);
    is.checkArgument("config.write()", "value", value, is.anything);
    checkOptions("config.write()", options, WRITE);
    const { signal, timeoutMs, mergeStrategy = "replace", ...more } = options;
    const params = { keyPath, value, mergeStrategy, ...more };
    return await this.#written(this.#host.request("config/value/write", params, { signal, timeoutMs }), [
      params,
    ]);
  }

  /** Applies all of these changes, or none. */
  async batchWrite(
    changes: readonly ConfigChange[],
    options: ConfigBatchOptions = {},
  ): Promise<ConfigWriteResponse> {
    is.checkArgument("config.batchWrite()", "changes", changes, CHANGES);
    checkOptions("config.batchWrite()", options, BATCH);
    const { signal, timeoutMs, ...more } = options;
    const edits = changes.map((change) => ({ mergeStrategy: "replace" as const, ...change }));
    return await this.#written(
      this.#host.request("config/batchWrite", { edits, ...more }, { signal, timeoutMs }),
      edits,
    );
  }

  async #written(
    request: Promise<ConfigWriteResponse>,
    edits: readonly ConfigEdit[],
  ): Promise<ConfigWriteResponse> {
    try {
      return await request;
    } catch (error) {
      throw namedConfig(error, edits);
    }
  }
}
