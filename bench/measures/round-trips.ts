import type { Table } from "../lib/report.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { Pairs } from "./pairs.ts";

const COUNT = 4_000;
const KINDS = { approval: "approvals", tool: "calls of dynamic tools" } as const;
const TOLD = [
  { figure: "p50Us", what: "half of the answers took at most", unit: "µs" },
  { figure: "p99Us", what: "99 of 100 answers took at most", unit: "µs" },
  { figure: "cpuUs", what: "the client's CPU for each", unit: "CPU µs" },
] as const;
const WHY =
  "On the first question, codexwright loads the answering code. For each one it finds the handler, keeps the open question in the thread's state, checks the answer, and pauses the turn's clock meanwhile.";

/** The server asks one question after the other and measures the time until each answer. */
export async function roundTrips(servers: ServerPrograms): Promise<Table[]> {
  return [...(await tables(servers, "approval")), ...(await tables(servers, "tool"))];
}

async function tables(servers: ServerPrograms, kind: keyof typeof KINDS): Promise<Table[]> {
  const pairs = await Pairs.sample(servers, "ask", [String(COUNT)], {
    task: kind,
    server: ["ask", kind, String(COUNT)],
    args: [kind, String(COUNT)],
  });
  return TOLD.map(({ figure, what, unit }) => ({
    title: `${COUNT.toLocaleString("en")} ${KINDS[kind]}: ${what}`,
    unit,
    rows: pairs.rows(figure, WHY),
  }));
}
