import { CODEX_VERSION, METHODS, SAMPLED_VERSIONS } from "codexwright/protocol";
import { fail, ok, warn, type Finding } from "./check.ts";

/** What our tables say of a Codex version. */
export function judgeVersion(version: string | undefined): Finding {
  if (version === undefined) return warn("it does not tell its version", "Is the binary a Codex?");
  const oldest = SAMPLED_VERSIONS[0] ?? CODEX_VERSION;
  if (compareVersions(version, oldest) < 0) {
    return fail(
      `${version} is older than ${oldest}, the oldest version that is supported`,
      "Install a newer one: npm install -g @openai/codex",
    );
  }
  if (compareVersions(version, CODEX_VERSION) > 0) {
    return warn(
      `${version} is newer than ${CODEX_VERSION}, the newest version that is known`,
      "It will most likely work; what is new in it has no types. Look for a newer codexwright.",
    );
  }
  const methods = Object.values(METHODS.clientRequests);
  const known = methods.filter(({ since }) => compareVersions(since, version) <= 0).length;
  const all = known === methods.length ? `all ${known}` : `${known} of ${methods.length}`;
  const how = SAMPLED_VERSIONS.includes(version) ? "known exactly" : "between two versions that are known";
  return ok(`${version}: ${how}, with ${all} methods`);
}

/** The version in what `codex --version` prints. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0];
}

/** Negative where `a` is older; what comes before a release is older than it. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  for (const index of [0, 1, 2]) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(left.isFinal) - Number(right.isFinal);
}

function parts(version: string): { numbers: number[]; isFinal: boolean } {
  const [release = "", ...rest] = version.split("-");
  return { numbers: release.split(".").map(Number), isFinal: rest.length === 0 };
}
