import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openEmbedded, type JobStore } from "@codexwright/orchestrator/internal";

export interface TemporaryStore {
  readonly store: JobStore;
  /** The state folder. */
  readonly folder: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens an embedded job store in a folder of its own, which is removed in the end. */
export async function temporaryStore(
  options: Omit<Parameters<typeof openEmbedded>[0], "folder"> = {},
): Promise<TemporaryStore> {
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
