import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openFolder, reopenFolder } from "./embedded/folder.ts";
import { EmbeddedDriver } from "./embedded/pglite.ts";
import { pack } from "./embedded/tar.ts";
import { prepare } from "./prepare.ts";

/** Makes the seed of the embedded database. The build calls it. */
export async function makeSeed(): Promise<Buffer> {
  const root = await mkdtemp(path.join(tmpdir(), "codexwright-seed-"));
  const folder = path.join(root, "db");
  try {
    const driver = new EmbeddedDriver(() => reopenFolder(folder), await openFolder(folder, null));
    const { database, queues } = await prepare("embedded", driver, {
      warn: (message) => process.emitWarning(message),
    });
    await queues.stop();
    await database.close();
    return await pack(folder);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
