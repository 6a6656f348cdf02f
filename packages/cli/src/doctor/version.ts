import { atLeast, CODEX_VERSION, METHODS, SAMPLED_VERSIONS } from "codexwright/protocol";
import { fail, ok, warn, type Finding } from "./check.ts";

/** Judges a Codex version by our protocol tables. */
export function judgeVersion(version: string | undefined): Finding {
  if (version === undefined) return warn("it does not report its version", "Is this binary really Codex?");
  const oldest = SAMPLED_VERSIONS[0] ?? CODEX_VERSION;
  if (!atLeast(version, oldest)) {
    return fail(
      `${version} is older than ${oldest}, the oldest supported version`,
      "Install a newer version: npm install -g @openai/codex",
    );
  }
  if (!atLeast(CODEX_VERSION, version)) {
    return warn(
      `${version} is newer than ${CODEX_VERSION}, the newest known version`,
      "It will most likely work, but its new methods have no types. Check for a newer codexwright.",
    );
  }
  const methods = Object.values(METHODS.clientRequests);
  const known = methods.filter(({ since }) => atLeast(version, since)).length;
  const all = known === methods.length ? `all ${known}` : `${known} of ${methods.length}`;
  const how = SAMPLED_VERSIONS.includes(version) ? "known exactly" : "between two known versions";
  return ok(`${version}: ${how}, with ${all} methods`);
}

/** Finds the version in the output of `codex --version`. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0];
}
