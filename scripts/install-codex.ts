/**
 * Installs the suite's Codex versions before the tests start. Without this, parallel tests would each install
 * them.
 */
import { CODEX_VERSIONS } from "./codex-versions.ts";
import { codexBinary } from "./install-cached.ts";

for (const version of CODEX_VERSIONS) await codexBinary(version);
