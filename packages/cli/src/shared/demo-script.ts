import { writeFile } from "node:fs/promises";
import path from "node:path";
import { applyPatch, exec, reply, usage, type ModelStep } from "@codexwright/testing";

/** The task of the scripted model. The job uses only standard Unix tools: a login shell may not find our Node. */
export const SCRIPTED_TASK = "leap.sh treats 1900 as a leap year. Fix it.";

const LEAP = `#!/bin/sh
# Says whether a year is a leap year.
year=$1
if [ $((year % 4)) -eq 0 ]; then
  echo yes
else
  echo no
fi
`;

const CHECK = `#!/bin/sh
failed=0
while read -r year expected; do
  got=$(sh leap.sh "$year")
  if [ "$got" = "$expected" ]; then
    echo "$year $got: right"
  else
    echo "$year $got: WRONG, should be $expected"
    failed=1
  fi
done <<YEARS
1900 no
2000 yes
2023 no
2024 yes
YEARS
exit $failed
`;

const PATCH = `
*** Update File: leap.sh
@@
 year=$1
-if [ $((year % 4)) -eq 0 ]; then
+if [ $((year % 400)) -eq 0 ]; then
+  echo yes
+elif [ $((year % 100)) -eq 0 ]; then
+  echo no
+elif [ $((year % 4)) -eq 0 ]; then
   echo yes
 else
`;

/** Writes the files for the job into the workspace. */
export async function writeWorkspace(workspace: string): Promise<void> {
  await writeFile(path.join(workspace, "leap.sh"), LEAP);
  await writeFile(path.join(workspace, "check.sh"), CHECK);
}

/** The steps of the model. @param delayMs the delay between pieces of text, so that people see it stream */
export function script(delayMs: number): ModelStep[] {
  const say = (text: string, phase: "commentary" | "final_answer") =>
    reply(text, { phase, deltas: text.match(/\S+\s*/g) ?? [], delayMs });
  return [
    [
      say("I will run the check first, to see what is wrong.", "commentary"),
      exec("sh check.sh", { usage: { inputTokens: 2_140, outputTokens: 31 } }),
    ],
    [
      say(
        "Only 1900 is wrong: centuries are leap years only if 400 divides them. I will add that.",
        "commentary",
      ),
      applyPatch(PATCH, { usage: { inputTokens: 2_260, cachedInputTokens: 2_048, outputTokens: 146 } }),
    ],
    exec("sh check.sh", { usage: { inputTokens: 2_410, cachedInputTokens: 2_176, outputTokens: 16 } }),
    [
      say("Fixed: leap.sh now handles centuries correctly, and the check passes.", "final_answer"),
      usage({ inputTokens: 2_480, cachedInputTokens: 2_304, outputTokens: 35 }),
    ],
  ];
}
