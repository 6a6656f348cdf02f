import type { ContextMeter, TurnUsage } from "codexwright";
import type { Style } from "../shared/style.ts";
import { number } from "./item-text.ts";

/** The content of the status line. */
export interface Status {
  readonly elapsedMs: number;
  readonly usage?: TurnUsage | undefined;
  readonly context?: ContextMeter | undefined;
  /** A hint about the keys. */
  readonly hint: string;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const CELLS = 10;

/** `⠋ 12s · 1,234 tokens · context ███░░░░░░░ 31% · type to steer, Ctrl-C interrupts` */
export function statusLine({ elapsedMs, usage, context, hint }: Status, style: Style): string {
  const frame = FRAMES[Math.floor(elapsedMs / 200) % FRAMES.length] ?? "";
  const parts = [elapsed(elapsedMs)];
  if (usage) parts.push(`${number(usage.totalTokens)} tokens`);
  if (context?.windowTokens) parts.push(`context ${bar(context.usedTokens / context.windowTokens)}`);
  parts.push(hint);
  return `${style.cyan(frame)} ${style.dim(parts.join(" · "))}`;
}

/** Formats a bar of ten cells, followed by the percentage. */
export function bar(share: number): string {
  const bounded = Math.min(1, Math.max(0, share));
  const full = Math.round(bounded * CELLS);
  return `${"█".repeat(full)}${"░".repeat(CELLS - full)} ${Math.round(bounded * 100)}%`;
}

/** `42s`, or `3m 5s`. */
export function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
