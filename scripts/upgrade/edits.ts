import { compareVersions } from "../protocol/history.ts";
import { UpgradeError } from "./target.ts";

/** The file that lists the suite's versions and the pinned one. */
const VERSIONS_FILE = "scripts/codex-versions.ts";

/** Files with a sentence that lists the versions of the suite. */
const LISTED = ["docs/guide/stability.md", "docs/guide/versions.md", "docs/spec/versions.md"];

/** Sentences about the pinned version. For example, `{version}` is 0.166.0 and `{short}` is 0.166. */
const PINNED_SENTENCES: readonly (readonly [file: string, sentence: string])[] = [
  ["docs/guide/versions.md", "The types are those of {short}."],
  ["docs/guide/versions.md", "A name that {short} does not have"],
  ["docs/guide/index.md", "servers from 0.98 to {short} with one program"],
  ["docs/guide/server.md", "as Codex {version} checks them"],
  ["docs/guide/server-from-scratch.md", "as Codex {version} does"],
  ["docs/guide/stability.md", "one Codex version, now {version}"],
  ["docs/guide/faq.md", "0.98.0 to {version}"],
  ["docs/guide/conformance.md", "the real Codex {version} over stdio"],
  ["examples/conformance.ts", 'version: "{version}"'],
  ["examples/recipes/docker/package.json", '"@openai/codex": "{version}"'],
  ["packages/testing/src/wire-script.ts", 'default "{version}"'],
  ["packages/testing/src/wire-script.ts", 'version = "{version}"'],
];

/** A version as sentences write it: 0.142.1, and 0.120 for 0.120.0. */
export function short(version: string): string {
  return version.replace(/\.0$/, "");
}

function fill(sentence: string, version: string): string {
  return sentence.replace("{version}", version).replace("{short}", short(version));
}

/** The suite's versions with one more, oldest first. */
export function withVersion(versions: readonly string[], version: string): string[] {
  return [...new Set([...versions, version])].toSorted(compareVersions);
}

/** Joins items for a sentence: a, b and c. */
export function listOf(versions: readonly string[]): string {
  return `${versions.slice(0, -1).join(", ")} and ${versions.at(-1)}`;
}

/** A change of version: the suite's current versions, and the pinned one before and after. */
export interface Move {
  readonly versions: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** The changes to one file, as pairs of old and new text. Each old text must be in the file. */
export function replacementsFor(file: string, { versions, from, to }: Move): (readonly [string, string])[] {
  const next = withVersion(versions, to);
  const quoted = (list: readonly string[]): string => list.map((version) => `"${version}"`).join(", ");
  return [
    ...(file === VERSIONS_FILE
      ? ([
          [`[${quoted(versions)}]`, `[${quoted(next)}]`],
          [`PINNED_CODEX: CodexVersion = "${from}"`, `PINNED_CODEX: CodexVersion = "${to}"`],
        ] as const)
      : []),
    ...(LISTED.includes(file) ? [[listOf(versions), listOf(next)] as const] : []),
    ...PINNED_SENTENCES.filter(([name]) => name === file).map(
      ([, sentence]) => [fill(sentence, from), fill(sentence, to)] as const,
    ),
  ];
}

/** Files that every change of version edits. */
export const EDITED: readonly string[] = [
  ...new Set([VERSIONS_FILE, ...LISTED, ...PINNED_SENTENCES.map(([file]) => file)]),
];

/** Returns the edited text of a file. Throws if an expected sentence is missing. */
export function edited(file: string, text: string, move: Move): string {
  let result = text;
  for (const [old, now] of replacementsFor(file, move)) {
    if (!result.includes(old))
      throw new UpgradeError(`${file} does not contain \`${old}\`. Correct scripts/upgrade/edits.ts.`);
    result = result.replaceAll(old, now);
  }
  return result;
}
