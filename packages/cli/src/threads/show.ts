import type { Thread, Turn } from "codexwright/protocol";
import { itemBlock, type Look } from "../show/item-block.ts";
import { lookOf } from "../show/presenter.ts";
import { connect } from "../shared/connect.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import { clean } from "../shared/text.ts";
import { findThread } from "./find.ts";

export interface ShowOptions extends SharedOptions {
  readonly last?: number;
}

/** Shows a stored thread, turn by turn. */
export async function show({ options, args, output, cwd }: Invocation<ShowOptions>): Promise<void> {
  await using connection = await connect(options, cwd);
  const { codex } = connection;
  const thread = await codex.readThread(await findThread(codex, args[0] ?? ""), true);
  const turns = options.last === undefined ? thread.turns : thread.turns.slice(-options.last);
  output.json({ type: "thread", thread: { ...thread, turns } });
  if (!output.isJson) output.styled(threadText(thread, turns, await lookOf(output, thread.cwd)));
}

/** Formats a thread as text: its facts, then all its turns. */
export function threadText(thread: Thread, turns: readonly Turn[], look: Look): string {
  const { style } = look;
  const facts = [thread.model, thread.cwd, new Date(thread.createdAt * 1000).toISOString().slice(0, 16)];
  const heading = [
    style.bold(clean(thread.name ?? (thread.preview || "Unnamed thread"))),
    style.dim(clean(`${thread.id} · ${facts.filter(Boolean).join(" · ")}`)),
  ].join("\n");
  const blocks = turns.flatMap((turn) => [
    ...turn.items.map((item) => itemBlock(item, look)),
    ...(turn.error ? [`${style.red(clean(turn.error.message))}\n`] : []),
    ...(turn.status === "interrupted" ? [`${style.red("interrupted")}\n`] : []),
  ]);
  return [`${heading}\n`, ...blocks.filter((block) => block !== "")].join("\n");
}
