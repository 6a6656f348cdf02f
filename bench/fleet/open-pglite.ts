import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../scripts/steps.ts";

/** The part of PGlite that the baselines use. */
export interface Pglite {
  query(text: string, values?: readonly unknown[]): Promise<unknown>;
  exec(text: string): Promise<unknown>;
  transaction(work: (tx: Pick<Pglite, "query">) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database that the orchestrator depends on. */
export async function openPglite(folder: string): Promise<Pglite> {
  const own = createRequire(path.join(ROOT, "packages/orchestrator/package.json"));
  const { PGlite } = (await import(pathToFileURL(own.resolve("@electric-sql/pglite")).href)) as {
    readonly PGlite: { create(options: { readonly dataDir: string }): Promise<Pglite> };
  };
  return await PGlite.create({ dataDir: folder });
}
