/** Installs the Codex versions of the suite before its tests, which run beside each other and would each install them. */
import { CODEX_VERSIONS } from "./codex-versions.ts";
import { codexBinary } from "./install-cached.ts";

for (const version of CODEX_VERSIONS) await codexBinary(version);
