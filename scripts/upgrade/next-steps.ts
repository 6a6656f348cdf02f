import type { Differences } from "./differences.ts";

/** Files that need a person's decision. A test checks that they exist. */
export const PLACES = {
  traits: "packages/codexwright/src/protocol/traits",
  gates: "packages/codexwright/src/protocol/experimental.ts",
  fold: "packages/codexwright/src/client/state/reduce.ts",
  requests: "packages/codexwright/src/client/requests/server-request-answers.ts",
  responses: "scripts/protocol/responses.ts",
  fake: "packages/testing/src/fake",
  scenarios: "packages/testing/src/conformance/scenarios",
  guide: "docs/guide/versions.md",
  methodsTest: "packages/codexwright/test/live/methods.test.ts",
  tableTest: "packages/codexwright/test/unit/protocol/table.test.ts",
} as const;

/** The manual steps after the script, in order. Each step names its files and the check that covers it. */
export function nextSteps({ methods, types, from, to }: Differences, mentions: readonly string[]): string[] {
  const { clientRequests, serverRequests, serverNotifications } = methods;
  const step = (names: readonly string[], text: string): string[] =>
    names.length === 0 ? [] : [`${text}:\n   ${names.join(", ")}`];
  const gone = [...clientRequests.removed, ...serverRequests.removed, ...serverNotifications.removed];
  return [
    ...(types.added.length + types.removed.length + types.changed.length > 0
      ? ["Read `git diff` of the files *.gen.ts, and fix what `npm run build` no longer compiles."]
      : []),
    ...step(
      clientRequests.added,
      `Decide on each new method: its scope, its ids and its lane (${PLACES.traits}, which does not compile without a row), and whether the fake supports it (${PLACES.fake}). ${PLACES.methodsTest} sends every method to the real server`,
    ),
    ...step(
      serverNotifications.added,
      `Decide on each new notification: whether it needs the opt-in (${PLACES.gates}; ${PLACES.tableTest} compares the versions), whether it changes the state of a thread (${PLACES.fold}), whether the fake sends it (${PLACES.fake})`,
    ),
    ...step(
      serverRequests.added,
      `Decide what the client answers to each new server request without a handler (${PLACES.requests})`,
    ),
    ...step(
      gone,
      `Search for each that is gone, and set \`until\` in the scenarios that use it (${PLACES.scenarios}); add a row to ${PLACES.guide}`,
    ),
    ...step(
      [...clientRequests.changed, ...serverRequests.changed, ...serverNotifications.changed],
      "Read the changes in these, and decide whether options of handles should offer new fields",
    ),
    `Run every scenario on both versions: \`npm run matrix\`. A scenario that fails on ${to} and not on ${from} gets a bound, a sibling for the new behaviour (${PLACES.scenarios}) and a row in ${PLACES.guide}.`,
    `Run \`npm test\` and \`npm run reference\`. Correct the outputs in docs that the tests compare.`,
    ...step(
      mentions,
      `Check every other file that names ${from}: a fact about ${from} stays, a fact about the pinned version changes (a sentence that always changes goes into scripts/upgrade/edits.ts)`,
    ),
    `If the suite should not grow, remove one version from scripts/codex-versions.ts, and correct CONTRIBUTING.md.`,
  ];
}
