import { atLeast, CODEX_VERSION, METHODS, SAMPLED_VERSIONS } from "codexwright/protocol";
import { fail, ok, warn, type Finding } from "./check.ts";

/** What our tables say of a Codex version. */
export function judgeVersion(version: string | undefined): Finding {
  if (version === undefined) return warn("it does not tell its version", "Is the binary a Codex?");
  const oldest = SAMPLED_VERSIONS[0] ?? CODEX_VERSION;
  if (!atLeast(version, oldest)) {
    return fail(
      `${version} is older than ${oldest}, the oldest version that is supported`,
      "Install a newer one: npm install -g @openai/codex",
    );
  }
  if (!atLeast(CODEX_VERSION, version)) {
    return warn(
      `${version} is newer than ${CODEX_VERSION}, the newest version that is known`,
      "It will most likely work; what is new in it has no types. Look for a newer codexwright.",
    );
  }
  const methods = Object.values(METHODS.clientRequests);
  const known = methods.filter(({ since }) => atLeast(version, since)).length;
  const all = known === methods.length ? `all ${known}` : `${known} of ${methods.length}`;
  const how = SAMPLED_VERSIONS.includes(version) ? "known exactly" : "between two versions that are known";
  return ok(`${version}: ${how}, with ${all} methods`);
}

/** The version in what `codex --version` prints. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0];
}
