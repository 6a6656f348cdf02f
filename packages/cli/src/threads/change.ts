import type { CodexClient } from "codexwright";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import { connect } from "../shared/connect.ts";
import type { Implementation, Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import { findThread } from "./find.ts";

export interface ChangeOptions extends SharedOptions {
  readonly yes?: boolean;
}

type Change = (codex: CodexClient, id: string, invocation: Invocation<ChangeOptions>) => Promise<void>;

/** The commands that change one thread, by name. */
export const CHANGES: Readonly<
  Record<"archive" | "unarchive" | "fork" | "name" | "delete", Implementation<ChangeOptions>>
> = {
  archive: changing("archived", async (codex, id) => await codex.thread(id).archive()),
  unarchive: changing("unarchived", async (codex, id) => await codex.thread(id).unarchive()),
  delete: changing("deleted", async (codex, id, { options, output }) => {
    if (!options.yes) await confirmDeletion(id, output.isJson);
    await codex.thread(id).delete();
  }),
  name: changing("named", async (codex, id, { args: [, name = ""] }) => {
    if (name.trim() === "") throw usageError("missing name; put a name with spaces in quotes");
    await codex.thread(id).setName(name);
  }),
  fork: async ({ options, args, output, cwd }) => {
    await using connection = await connect(options, cwd);
    const from = await findThread(connection.codex, args[0] ?? "");
    const { id } = await connection.codex.forkThread(from);
    output.json({ type: "change", change: "forked", threadId: id, from });
    output.text(`${id}\n`);
  },
};

function changing(change: string, apply: Change): Implementation<ChangeOptions> {
  return async (invocation) => {
    const { options, args, output, cwd } = invocation;
    await using connection = await connect(options, cwd);
    const id = await findThread(connection.codex, args[0] ?? "");
    await apply(connection.codex, id, invocation);
    output.json({ type: "change", change, threadId: id });
    output.remark(`${id} ${change}.`);
  };
}

async function confirmDeletion(id: string, isJson: boolean): Promise<void> {
  if (isJson || !process.stdin.isTTY || !process.stdout.isTTY) {
    throw usageError("delete needs a confirmation, and there is no terminal to ask on: add --yes");
  }
  const { confirm } = await import("../shared/prompts.ts");
  const answer = await confirm({ message: `Delete thread ${id} permanently?`, initialValue: false });
  if (answer !== true) throw new CommandError("interrupted", EXIT.interrupted, "Nothing was deleted.");
}
