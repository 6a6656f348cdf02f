import type { Thread } from "codexwright/protocol";
import { nameOf } from "../show/item-text.ts";
import { connect } from "../shared/connect.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import { table } from "../shared/table.ts";
import { ago } from "./ago.ts";

export interface ListOptions extends SharedOptions {
  readonly search?: string;
  readonly archived?: boolean;
  readonly here?: boolean;
  readonly sort: "updated_at" | "created_at";
  readonly limit?: number;
  readonly page?: string;
}

/** Lists one page of threads. */
export async function list({ options, output, cwd }: Invocation<ListOptions>): Promise<void> {
  const { search, archived, here, sort, limit = 20, page } = options;
  await using connection = await connect(options, cwd);
  const { data, nextCursor } = await connection.codex.listThreads({
    limit,
    sortKey: sort,
    ...(search !== undefined && { searchTerm: search }),
    ...(archived && { archived }),
    ...(here && { cwd }),
    ...(page !== undefined && { cursor: page }),
  });
  for (const thread of data) output.json({ type: "thread", thread });
  output.json({ type: "page", nextCursor });
  if (data.length === 0) return output.remark("No threads found.");
  const now = Date.now();
  output.styled(
    table(
      ["THREAD", "USED", "FOLDER", "WHAT"],
      data.map((thread) => row(thread, now)),
      output,
    ),
  );
  if (nextCursor !== null) output.remark(`There are more threads: add --page '${nextCursor}'`);
}

function row({ id, name, preview, updatedAt, cwd }: Thread, now: number): string[] {
  const home = process.env["HOME"];
  const folder = home !== undefined && cwd.startsWith(`${home}/`) ? `~/${nameOf(cwd, home)}` : cwd;
  return [id, ago(now - updatedAt * 1000), folder, name ?? preview];
}
