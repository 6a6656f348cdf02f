import path from "node:path";
import { openEmbedded, type Issue } from "@codexwright/orchestrator/internal";
import type { Figures } from "../lib/sample.ts";
import { DATABASE, FleetFolder } from "./folder.ts";
import { openPglite } from "./open-pglite.ts";
import { quantile } from "./runs.ts";

const SCOPE = "bench";
const UNLIMITED = { global: 1_000_000, byState: {} };
/** The first transactions are not counted, because they also compile the database. */
const WARM = 50;
const TABLES =
  "CREATE TABLE bench_claims (scope text, issue_id text, claim jsonb, PRIMARY KEY (scope, issue_id)); CREATE TABLE bench_jobs (id text PRIMARY KEY, job jsonb)";

/** A claim and its job in one transaction; then two rows of the same length in a transaction of the same database. */
export async function claim(count: number, warm = WARM): Promise<Figures> {
  using folder = new FleetFolder();
  const issues = Array.from({ length: warm + count }, (_, number) => anIssue(number));
  const ours = (await timesOfStore(folder, issues)).slice(warm);
  const alone = (await timesOfDatabase(folder, issues)).slice(warm);
  return {
    claimMs: quantile(ours, 0.5),
    claimP95Ms: quantile(ours, 0.95),
    aloneMs: quantile(alone, 0.5),
    aloneP95Ms: quantile(alone, 0.95),
  };
}

async function timesOfStore(folder: FleetFolder, issues: readonly Issue[]): Promise<readonly number[]> {
  await using store = await openEmbedded({ folder: path.join(folder.root, path.dirname(DATABASE)) });
  await store.putScope(SCOPE, { version: "v1", path: "/WORKFLOW.md", text: "Do it." });
  return await timesOf(issues, async (issue) => {
    const [admission] = await store.admit(SCOPE, [{ issue }], UNLIMITED);
    if (admission?.refused !== null) throw new Error("the issue was not admitted");
  });
}

async function timesOfDatabase(folder: FleetFolder, issues: readonly Issue[]): Promise<readonly number[]> {
  const database = await openPglite(path.join(folder.root, DATABASE));
  try {
    await database.exec(TABLES);
    return await timesOf(issues, async (issue) => {
      const text = JSON.stringify(issue);
      await database.transaction(async (tx) => {
        await tx.query("INSERT INTO bench_claims VALUES ($1, $2, $3)", [SCOPE, issue.id, text]);
        await tx.query("INSERT INTO bench_jobs VALUES ($1, $2)", [issue.id, text]);
      });
    });
  } finally {
    await database.close();
  }
}

async function timesOf(
  issues: readonly Issue[],
  work: (issue: Issue) => Promise<void>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const issue of issues) {
    const since = performance.now();
    await work(issue);
    times.push(performance.now() - since);
  }
  return times;
}

function anIssue(number: number): Issue {
  return {
    id: `AB-${number}`,
    native_ref: null,
    identifier: `AB-${number}`,
    title: `Issue ${number}`,
    description: "A sentence of the description. ".repeat(40),
    priority: 1,
    state: "todo",
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: ["bug"],
    blocked_by: [],
    dispatchable: true,
    created_at: null,
    updated_at: null,
  };
}
