import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openEmbedded, openPostgres, type JobStore } from "@codexwright/orchestrator/internal";
import type { PostgresServer } from "./postgres.ts";

export interface TemporaryStore {
  readonly store: JobStore;
  /** The state folder. */
  readonly folder: string;
  [Symbol.asyncDispose](): Promise<void>;
}

type Options = Omit<Parameters<typeof openEmbedded>[0], "folder">;

/** Opens an embedded job store in a folder of its own, which is removed in the end. */
export async function temporaryStore(options: Options = {}): Promise<TemporaryStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "job-store-"));
  const store = await openEmbedded({ ...options, folder });
  return {
    store,
    folder,
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type OpenStore = Awaited<ReturnType<typeof openEmbedded>>;

/** An empty database that several job stores can open. The embedded one opens only once. */
export interface Place {
  readonly backend: "embedded" | "postgres";
  open(options?: Options): Promise<OpenStore>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function embeddedPlace(): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), "job-store-"));
  const stores: JobStore[] = [];
  return {
    backend: "embedded",
    async open(options = {}) {
      const store = await openEmbedded({ ...options, folder });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function postgresPlace(server: PostgresServer): Promise<Place> {
  const url = await server.database();
  const stores: JobStore[] = [];
  return {
    backend: "postgres",
    async open(options = {}) {
      const store = await openPostgres({ ...options, url });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
    },
  };
}
