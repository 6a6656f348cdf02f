import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { google } from "./google.ts";
import type { Kind } from "./kind.ts";

export type KindName = "chat" | "anthropic" | "google";

/** The APIs besides the Responses API, by the names that a configuration uses. */
export const KINDS: Readonly<Record<KindName, Kind>> = { chat: chat, anthropic: anthropic, google: google };

export const KIND_NAMES: readonly KindName[] = ["chat", "anthropic", "google"];
