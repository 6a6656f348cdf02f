/** The embedded database alone, in a process of its own: opens a folder, and answers one statement. */
import { openPglite } from "./open-pglite.ts";
import { obey, say } from "./talk.ts";

const { folder } = JSON.parse(process.argv[2] ?? "{}") as { readonly folder: string };
const pglite = await openPglite(folder);
await pglite.query("SELECT 1");
say({ opened: folder });
await obey();
await pglite.close();
