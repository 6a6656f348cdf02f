/**
 * Fills in `repository`, `homepage` and `bugs` of every published package for a release: `npm run
 * set-addresses -- https://github.com/owner/name [https://docs.example.org]`.
 *
 * The home page is the repository if none is given. `node build/scripts/supply-chain.js --release` fails while a
 * placeholder is left.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./steps.ts";
import { addressesOf, withAddresses } from "./supply/addresses.ts";
import type { Manifest } from "./supply/manifests.ts";

const [given = "", homepage = given] = process.argv.slice(2);
if (![given, homepage].every((url) => URL.canParse(url) && url.startsWith("https://"))) {
  console.error("Usage: npm run set-addresses -- https://host/owner/name [https://home.page]");
  process.exitCode = 2;
} else {
  const repository = given.replace(/(?:\.git)?\/?$/, "");
  for (const name of readdirSync(path.join(ROOT, "packages"))) {
    const file = path.join(ROOT, "packages", name, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    if (manifest.private === true) continue;
    const filled = withAddresses(manifest, addressesOf(repository, `packages/${name}`, homepage));
    writeFileSync(file, `${JSON.stringify(filled, undefined, 2)}\n`);
    console.log(`packages/${name}/package.json has the addresses of ${repository}`);
  }
}
