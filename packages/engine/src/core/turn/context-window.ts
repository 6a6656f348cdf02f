import type { LoadedThread } from "../threads/loaded-thread.ts";

/** The context window that the real server assumes for a model that it does not know. */
const UNKNOWN = { tokens: 272_000, largest: 272_000 };

/** How many tokens a conversation may have. */
export interface WindowLimits {
  /** The window that clients see. It leaves a part of the whole window for the answer. */
  readonly usable: number;
  /** A conversation with at least this many tokens is compacted before the next turn. */
  readonly compactAt: number;
}

/** The limits of the model of a turn. The configuration can lower them. */
export function windowLimits({ host, config }: LoadedThread, model: string): WindowLimits {
  const { tokens, largest } = host.provider.contextWindow?.(model) ?? UNKNOWN;
  const { contextWindow = tokens, compactAt } = config.settings;
  const window = Math.min(contextWindow, largest);
  const most = Math.floor(window * 0.9);
  return { usable: Math.floor(window * 0.95), compactAt: Math.min(compactAt ?? most, most) };
}
