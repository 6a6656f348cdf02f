import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The folder of a fleet's database. */
export const DATABASE = "state/db";

/** A folder with a WORKFLOW.md and issues, which is removed on dispose. */
export class FleetFolder implements Disposable {
  readonly root = mkdtempSync(path.join(tmpdir(), "codexwright-fleet-bench-"));
  readonly issues = path.join(this.root, "issues");

  constructor() {
    mkdirSync(this.issues);
  }

  /** Writes WORKFLOW.md. It polls only when it is asked. */
  workflow(prompt: string, settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): void {
    const front = {
      tracker: { kind: "folder" },
      polling: { interval_ms: 3_600_000 },
      workspace: { root: path.join(this.root, "workspaces") },
      ...settings,
    };
    const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    writeFileSync(path.join(this.root, "WORKFLOW.md"), `---\n${lines.join("\n")}\n---\n\n${prompt}\n`);
  }

  /** Adds issues that can be worked on. */
  add(prefix: string, count: number): void {
    for (let number = 0; number < count; number++)
      writeFileSync(
        path.join(this.issues, `${prefix}-${number}.md`),
        `---\ntitle: Issue ${number}\nstate: todo\n---\n\nDo it.\n`,
      );
  }

  /** Adds issues as in a real folder: a third of them are done, and each is blocked by another one. */
  fill(count: number): void {
    for (let number = 0; number < count; number++)
      writeFileSync(path.join(this.issues, `AB-${number}.md`), issueText(number, count));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function issueText(number: number, count: number): string {
  const front = [
    `title: Issue number ${number}`,
    `state: ${number % 3 ? "todo" : "done"}`,
    `priority: ${number % 5}`,
    "labels: [bug, parser]",
    `blocked_by: [AB-${(number * 3) % count}]`,
    "created_at: 2026-01-02T03:04:05Z",
  ];
  return `---\n${front.join("\n")}\n---\n\n${"A sentence of the description. ".repeat(40)}\n`;
}
