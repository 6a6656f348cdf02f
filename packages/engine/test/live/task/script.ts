import { applyPatch, exec, reply, type ModelStep } from "@codexwright/testing";

/** No profile: the shell starts faster, and the machine's own profile does not matter. */
const PLAIN = { args: { login: false } } as const;
/** Files of Git can be written outside the sandbox only. */
const OUTSIDE = { ...PLAIN, justification: "Git writes to .git, which the sandbox protects." } as const;

export const SUMMARY = "sum.mjs subtracted; it adds now, and that is committed. NEWS.md is still missing.";

/** The finding of the reviewer, in its file. */
const finding = (file: string) => ({
  title: "[P1] Refuse what is not a number",
  body: "sum(['1']) returns a string.",
  confidence_score: 0.9,
  priority: 1,
  code_location: { absolute_file_path: file, line_range: { start: 3, end: 3 } },
});

const FIX = `*** Update File: sum.mjs
@@ export function sum(numbers) {
   let total = 0;
-  for (const number of numbers) total -= number;
+  for (const number of numbers) total += number;
   return total;`;

const NEWS = `*** Add File: NEWS.md
+# News
+
+- \`sum\` adds.`;

const CHECK = `*** Update File: sum.mjs
@@ export function sum(numbers) {
-  for (const number of numbers) total += number;
+  for (const number of numbers) {
+    if (typeof number !== "number") throw new TypeError("not a number");
+    total += number;
+  }
*** Update File: NEWS.md
@@
 - \`sum\` adds.
+- \`sum\` refuses what is not a number.`;

/** The responses of the model, and the number of the first request of each part. */
export interface Script {
  readonly steps: readonly ModelStep[];
  readonly beginsAt: Readonly<
    Record<"fix" | "compaction" | "killed" | "resumed" | "review" | "finding", number>
  >;
}

/** All responses of the model, in order. */
export function script(sumFile: string): Script {
  const parts = {
    fix: [
      exec("cat sum.mjs sum.test.mjs", PLAIN),
      exec("node sum.test.mjs", PLAIN),
      applyPatch(FIX),
      exec("node sum.test.mjs", PLAIN),
      exec("git commit --quiet --all --message='Add the numbers'", OUTSIDE),
      reply("The test passes."),
    ],
    compaction: [reply(SUMMARY)],
    killed: [exec("echo started >>started.log; exec sleep 86400", PLAIN)],
    resumed: [
      exec("cat started.log; git log --format=%s", PLAIN),
      exec("rm started.log", PLAIN),
      applyPatch(NEWS),
      exec("git add NEWS.md && git commit --quiet --message='Tell the news'", OUTSIDE),
      reply("NEWS.md is there."),
    ],
    review: [
      exec("git show --format=%s HEAD~1", PLAIN),
      reply(
        JSON.stringify({
          findings: [finding(sumFile)],
          overall_correctness: "patch is incorrect",
          overall_explanation: "One problem.",
          overall_confidence_score: 0.8,
        }),
      ),
    ],
    finding: [
      applyPatch(CHECK),
      exec("node sum.test.mjs", PLAIN),
      exec("git commit --quiet --all --message='Refuse what is not a number'", OUTSIDE),
      reply("The finding is fixed."),
    ],
  };
  let at = 0;
  const beginsAt = Object.fromEntries(
    Object.entries(parts).map(([name, steps]) => [name, (at += steps.length) - steps.length]),
  );
  return { steps: Object.values(parts).flat(), beginsAt: beginsAt as Script["beginsAt"] };
}
