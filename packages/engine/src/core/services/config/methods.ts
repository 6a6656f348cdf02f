import type { Handlers } from "codexwright/endpoint";
import type { ConfigEdit, ConfigReadResponse, ConfigWriteResponse, JsonValue } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../../host.ts";
import { readingConfig } from "../unreadable.ts";
import { keysOfPath } from "./key-path.ts";
import { ConfigView, versionOf } from "./view.ts";
import { ConfigWriteError } from "./write-error.ts";

/** The methods that read and write the configuration. */
export function configMethods({ configFiles, platform }: EngineHost): Handlers {
  const write = async (
    edits: readonly ConfigEdit[],
    { filePath, expectedVersion }: { filePath?: string | null; expectedVersion?: string | null },
  ): Promise<ConfigWriteResponse> => {
    const { file, layer } = await writing(() =>
      configFiles.write(edits, {
        file: filePath ?? undefined,
        expectedVersion: expectedVersion ?? undefined,
      }),
    );
    const view = new ConfigView(await reading(() => configFiles.layers(undefined)), platform);
    const overridden = edits.map(({ keyPath }) => view.override(keysOfPath(keyPath))).find(Boolean);
    return {
      status: overridden ? "okOverridden" : "ok",
      version: versionOf(layer.table, platform),
      filePath: file,
      overriddenMetadata: overridden
        ? {
            message: `Overridden by ${nameOf(overridden.layer.name.type)}`,
            overridingLayer: overridden.layer,
            effectiveValue: overridden.value as JsonValue,
          }
        : null,
    };
  };
  return {
    "config/read": async ({ includeLayers, cwd }) => {
      const view = new ConfigView(await reading(() => configFiles.layers(cwd ?? undefined)), platform);
      const { config, origins, layers } = view;
      return { config, origins, ...(includeLayers && { layers }) } as ConfigReadResponse;
    },
    "config/value/write": ({ keyPath, value, mergeStrategy, ...options }) =>
      write([{ keyPath, value, mergeStrategy }], options),
    "config/batchWrite": ({ edits, ...options }) => write(edits, options),
    "configRequirements/read": () => ({ requirements: null, supportsIndependentSpeedModes: true }),
  };
}

function nameOf(type: string): string {
  return type === "sessionFlags" ? "session flags" : `${type} config`;
}

/** Reads the configuration, with the errors of the protocol. */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  return await readingConfig("failed to read configuration layers", work);
}

/** Writes the configuration, with the errors of the protocol. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  return await readingConfig("failed to load configuration", work).catch((error: unknown) => {
    if (!(error instanceof ConfigWriteError)) throw error;
    throw new ResponseError(-32600, error.message, { config_write_error_code: error.reason });
  });
}
