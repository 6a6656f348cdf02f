import { PGlite } from "@electric-sql/pglite";

/** Opens the database of a folder, and tells how to open it again. */
export async function openFolder(
  folder: string,
): Promise<{ readonly pglite: PGlite; readonly again: () => Promise<PGlite> }> {
  const again = (): Promise<PGlite> => PGlite.create({ dataDir: folder });
  return { pglite: await again(), again };
}
