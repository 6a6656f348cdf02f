import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { workspaceKey, type Issue } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { runWith, type RunPlace } from "../../support/run-world.ts";

const MARK = "m4rk-of-the-attacker";

async function place(command: string): Promise<RunPlace & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "hostile-texts-"));
  return {
    folder,
    root: path.join(folder, "workspaces"),
    stateFolder: path.join(folder, "state"),
    command,
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** Commands for the shells, programs and templates that a text could reach. */
function attacks(made: string): readonly string[] {
  return [
    `$(touch ${made})`,
    `\`touch ${made}\``,
    `'; touch ${made}; '`,
    `"; touch ${made}; "`,
    `\n touch ${made} & wait\n`,
    `| touch ${made}`,
    `{{ "now" | date: "%Y" }}{% include '/etc/passwd' %}`,
    `--config=sandbox_mode=danger-full-access`,
    `-c sandbox_mode=danger-full-access`,
    `../../../${MARK}`,
    `/tmp/${MARK}`,
    `${MARK}\u0000`,
    `\u001B]0;${MARK}\u0007`,
    `${MARK}${"x".repeat(200_000)}`,
    "\uD800",
  ];
}

/** Writes what a program got that was started for the issue: its arguments, its environment and its folder. */
const LOOK = (file: string): string =>
  `{ tr '\\0' '\\n' < /proc/$$/cmdline; tr '\\0' '\\n' < /proc/$PPID/cmdline; env; pwd; } >> '${file}'`;

verifies(
  "security.s110",
  "texts of an issue are in no argument, variable, script or path of a program that is started for it",
  async () => {
    await using at = await place("");
    const [made, seen] = [path.join(at.folder, "made"), path.join(at.folder, "seen")];
    const look = LOOK(seen);
    const text = fc
      .array(fc.oneof(fc.constantFrom(...attacks(made)), fc.string({ unit: "binary", maxLength: 10 })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => `${MARK}${parts.join(" ")}`);
    const issue = fc.record({
      id: text,
      title: text,
      description: text,
      branch_name: text,
      url: text,
      assignee_id: text,
      labels: fc.array(text, { maxLength: 3 }),
      blocked_by: fc.array(fc.record({ id: text, identifier: text, state: text }), { maxLength: 2 }),
      native_ref: text.map((value) => ({ [value]: value })),
      created_at: text,
      updated_at: text,
    });
    const hooks = { afterCreate: look, beforeRun: look, afterRun: look };
    const prompt = "{{ issue.identifier }} {{ issue.title }} {{ issue.description }} {{ issue.labels }}";
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(issue, text, async (fields: Partial<Issue>, identifier) => {
        await rm(seen, { force: true });
        const { outcome } = await runWith(
          {
            ...at,
            stateFolder: path.join(at.stateFolder, workspaceKey(identifier)),
            command: `${look}; exit 3`,
          },
          { issue: { ...fields, identifier }, hooks, prompt },
        );
        expect(outcome).toMatchObject({ kind: "failed", code: "port_exit" });
        expect(existsSync(made)).toBe(false);
        const folder = path.join(at.root, workspaceKey(identifier));
        const lines = readFileSync(seen, "utf8").split("\n");
        expect(lines.filter((line) => line === folder).length).toBeGreaterThanOrEqual(4);
        // Hooks get the two names of the issue as variables. The rest of them can be lines of their own here.
        const ofIssue = /^CODEXWRIGHT_ISSUE_(?:ID|IDENTIFIER)=/;
        const words = lines.filter((line) => !ofIssue.test(line)).map((line) => line.replaceAll(folder, ""));
        const own = new Set(`${String(fields.id)}\n${identifier}`.split("\n").slice(1));
        expect(words.filter((line) => line.includes(MARK) && !own.has(line))).toEqual([]);
        runs++;
      }),
      { numRuns: 6, seed: 110 },
    );
    expect(runs).toBe(6);
  },
  { skip: process.platform === "linux" ? false : "arguments and variables are read in /proc" },
);

verifies("security.s110", "the attacks work on a workflow that puts a text into a command", async () => {
  await using at = await place("");
  const made = path.join(at.folder, "made");
  for (const attack of attacks(made).slice(0, 6)) {
    await rm(made, { force: true });
    const quote = attack.startsWith("'") ? "'" : '"';
    const line = attack.startsWith("|") ? `true ${attack}` : `echo ${quote}${attack}${quote}`;
    await runWith({ ...at, command: attack.startsWith("\n") ? attack : line });
    expect([attack, existsSync(made)]).toEqual([attack, true]);
  }
});
