import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** An issue of the demo. */
export interface DemoIssue {
  readonly title: string;
  readonly priority: number;
  readonly blockedBy?: readonly string[];
  /** The files that its agent writes, one in each turn. */
  readonly files: Readonly<Record<string, string>>;
}

export const QUESTION = "Which database should store the rates?";
export const CHOICES = ["SQLite", "PostgreSQL"] as const;

/** The issue whose agent asks, and the one whose model fails twice. */
export const ASKS = "RATE-3";
export const FAILS = "RATE-4";

export const ISSUES: Readonly<Record<string, DemoIssue>> = {
  "RATE-1": {
    title: "Parse amounts of money",
    priority: 1,
    files: { "parse.js": "export const parse = (text) => Number(text.replaceAll(',', ''));\n" },
  },
  "RATE-2": {
    title: "Print amounts, with a test",
    priority: 2,
    files: {
      "print.js": "export const print = (amount) => amount.toLocaleString('en');\n",
      "print.test.js": "assert.equal(print(1234), '1,234');\n",
    },
  },
  [ASKS]: { title: "Store the exchange rates", priority: 2, files: { "store.md": "" } },
  [FAILS]: {
    title: "Fetch the exchange rates",
    priority: 3,
    files: { "fetch.js": "export const fetchRates = () => fetch(RATES);\n" },
  },
  "RATE-5": {
    title: "Convert between currencies",
    priority: 1,
    blockedBy: ["RATE-1", "RATE-2"],
    files: { "convert.js": "export const convert = (amount, rate) => print(parse(amount) * rate);\n" },
  },
  "RATE-6": {
    title: "Document the commands",
    priority: 4,
    blockedBy: [ASKS, "RATE-5"],
    files: { "README.md": "# rates\n\n`rates 1,000 EUR` prints the amount in dollars.\n" },
  },
};

export const NAMES: readonly string[] = Object.keys(ISSUES);

/** Two agents at once. A workspace is a clone, and becomes a branch before it is removed. */
const WORKFLOW = `---
tracker:
  kind: folder
  provider: { path: issues }
polling: { interval_ms: 1000 }
workspace: { root: workspaces }
hooks:
  after_create: git clone --quiet ../../repository.git .
  before_remove: >
    git add --all && git commit --quiet -m "$(basename "$PWD")" &&
    git push --quiet origin "HEAD:refs/heads/$(basename "$PWD")"
agent:
  max_concurrent_agents: 2
  max_retry_backoff_ms: 3000
codex:
  read_timeout_ms: 60000
  # Many containers have no working sandbox, and the script only writes to its own folder.
  thread_sandbox: danger-full-access
---
You work on {{ issue.identifier }}: {{ issue.title }}

When the work is finished, set the state of the issue to "done" with the tool issue_update.
`;

/** Writes WORKFLOW.md and the folder of issues. */
export async function writeProject(folder: string): Promise<void> {
  await mkdir(path.join(folder, "issues"), { recursive: true });
  await writeFile(path.join(folder, "WORKFLOW.md"), WORKFLOW);
  for (const [name, { title, priority, blockedBy = [] }] of Object.entries(ISSUES)) {
    const blockers = blockedBy.length === 0 ? "" : `blocked_by: [${blockedBy.join(", ")}]\n`;
    const front = `title: ${title}\nstate: todo\npriority: ${priority}\n${blockers}`;
    await writeFile(path.join(folder, "issues", `${name}.md`), `---\n${front}---\n${title}.\n`);
  }
}
