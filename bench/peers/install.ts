import { writeFile } from "node:fs/promises";
import path from "node:path";
import { installCached } from "../../scripts/install-cached.ts";
import type { PeerInfo } from "./list.ts";

/** The name of the module through which a program loads packages from a peer's folder. */
export const LOADER = "load.mjs";

const installed = new Map<string, Promise<string>>();

/**
 * The folder of a peer, outside the repository and shared by runs. Rejects if the peer cannot be installed.
 */
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
  // Packages are resolved relative to the importing module, so this module is next to them.
  await writeFile(path.join(folder, LOADER), "export const load = (name) => import(name);\n");
  return folder;
}
