import { createHash } from "node:crypto";
import path from "node:path";
import type { ConfigEdit } from "codexwright/protocol";
import type { ConfigFileLayer, ConfigFiles, ConfigWriteOptions, ConfigWritten } from "../../core/ports.ts";
import { tableEdits } from "../../core/services/config/edit-table.ts";
import { versionOf } from "../../core/services/config/view.ts";
import { ConfigWriteError } from "../../core/services/config/write-error.ts";
import { ConfigError } from "../config-error.ts";
import { readLayers, userLayer } from "../layers/index.ts";
import { LARGEST_FILE, readText } from "../read-text.ts";
import { checkLayers } from "./check-layers.ts";
import { patchToml } from "./patch-toml.ts";
import { changeFile } from "../change-file.ts";

export interface ConfigFilesOptions {
  readonly home: string;
  /** The working directory of the server. Paths in overrides are relative to it. */
  readonly cwd: string;
  /** Overrides of the whole server, in the words of `config.toml`. */
  readonly overrides: readonly string[];
  /** The configuration of the machine; default `/etc/codex/config.toml`. */
  readonly systemFile?: string | undefined;
}

const DIGEST = {
  digest: (algorithm: "sha1" | "sha256", text: string): string =>
    createHash(algorithm).update(text, "utf8").digest("hex"),
};

/** The files of the configuration. Clients can change `config.toml` of the home. */
export function configFiles({ home, cwd, overrides, systemFile }: ConfigFilesOptions): ConfigFiles {
  const file = path.join(home, "config.toml");
  return {
    async layers(folder) {
      const { layers } = await readLayers({
        home,
        cwd: folder === undefined ? cwd : path.resolve(cwd, folder),
        overrides,
        request: {},
        profile: undefined,
        systemFile: systemFile ?? "/etc/codex/config.toml",
      });
      checkLayers(layers);
      return folder === undefined ? layers.filter(({ name }) => name.type !== "project") : layers;
    },
    write: (edits, options) => write(file, edits, options),
  };
}

async function write(
  file: string,
  edits: readonly ConfigEdit[],
  { file: named, expectedVersion }: ConfigWriteOptions,
): Promise<ConfigWritten> {
  if (named !== undefined && path.resolve(named) !== file) throw ConfigWriteError.readonly();
  const changes = tableEdits(edits);
  const layer = await changeFile(file, async () => {
    const text = (await readText(file))?.text ?? "";
    const before = await userLayer(file, text);
    if (expectedVersion !== undefined && expectedVersion !== versionOf(before.table, DIGEST)) {
      throw ConfigWriteError.conflict();
    }
    const next = await patchToml(file, text, changes);
    if (Buffer.byteLength(next) > LARGEST_FILE) {
      throw ConfigWriteError.invalid(
        `Invalid configuration: the file must have at most ${LARGEST_FILE} bytes`,
      );
    }
    const result: ConfigFileLayer = await checked(file, next);
    return { text: next === text ? undefined : next, result };
  });
  return { file, layer };
}

/** Returns the layer of a text, if its settings have the right types. */
async function checked(file: string, text: string): Promise<ConfigFileLayer> {
  const layer = await userLayer(file, text);
  try {
    checkLayers([layer]);
  } catch (error) {
    if (error instanceof ConfigError)
      throw ConfigWriteError.invalid(`Invalid configuration: ${error.message}`);
    throw error;
  }
  return layer;
}
