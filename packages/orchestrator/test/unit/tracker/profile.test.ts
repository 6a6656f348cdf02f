import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { TRACKER_KINDS } from "@codexwright/orchestrator/internal";
import type { TrackerProfile } from "@codexwright/orchestrator/tracker";
import { verifies } from "@codexwright/test-support/verifies";

const PAGE = path.resolve(import.meta.dirname, "../../../../../docs/guide/trackers.md");

/** The section of an adapter on the page of trackers. */
function section(profile: TrackerProfile): string {
  const { activeStates, kind, keys, notes, summary, terminalStates, tools } = profile;
  const states = (list: readonly string[] | undefined): string =>
    list?.map((state) => `\`${state}\``).join(", ") ?? "WORKFLOW.md must name them";
  const about = keys.map(({ key, what, required, default: other, secret, env }) => {
    const facts = [
      required ? "required" : `default \`${other}\``,
      ...(secret ? ["secret"] : []),
      ...(env === undefined ? [] : [`variable \`${env}\``]),
    ];
    return `- \`${key}\` (${facts.join(", ")}): ${what}`;
  });
  return [
    `## Profile of \`${kind}\``,
    summary,
    ["Keys of `tracker.provider`:", "", ...about].join("\n"),
    `Active states: ${states(activeStates)}. Terminal states: ${states(terminalStates)}.`,
    Object.entries(notes)
      .map(([name, note]) => `- **${name}**: ${note}`)
      .join("\n"),
    ...tools.map(
      ({ name, what, mutates }) => `Tool \`${name}\`${mutates ? " (changes the tracker)" : ""}: ${what}`,
    ),
  ].join("\n\n");
}

verifies(
  ["fleet.tracker.profile", "symphony.17.3.profile"],
  "the page of trackers agrees with the profiles of the adapters",
  () => {
    const page = readFileSync(PAGE, "utf8");
    for (const { profile } of TRACKER_KINDS) expect(page).toContain(section(profile));
  },
);
