import { writeFile } from "node:fs/promises";
import path from "node:path";
import { installCached } from "../../scripts/install-cached.ts";
import type { PeerInfo } from "./list.ts";

/** The name of the module through which a program loads what is installed in a peer's folder. */
export const LOADER = "load.mjs";

const installed = new Map<string, Promise<string>>();

/** The folder of a peer, outside the repository and shared by runs; rejects where it cannot be installed. */
export function installPeer(peer: Pick<PeerInfo, "package" | "version" | "also">): Promise<string> {
  const known = installed.get(peer.package);
  if (known) return known;
  const folder = install(peer);
  installed.set(peer.package, folder);
  return folder;
}

async function install({
  package: name,
  version,
  also = [],
}: Pick<PeerInfo, "package" | "version" | "also">): Promise<string> {
  const folder = await installCached(name, version, { also, lean: true });
  // Packages are found from where a module is: this one is among theirs.
  await writeFile(path.join(folder, LOADER), "export const load = (name) => import(name);\n");
  return folder;
}
