import type { WireObject } from "../wire-object.ts";

/** The beginning of a message with the instructions of AGENTS.md files. Codex looks for it, too. */
export const AGENTS_MD_BEGINNING: RegExp = /^# AGENTS\.md instructions(?: for .*)?\n\n<INSTRUCTIONS>\n/;

/** Messages of the engine to the model, in the role of the user. */
const NOTES = /^<(environment_context|turn_aborted|skill|user_action|subagent_notification)>/;

/** Whether an item of a conversation is input of the user, and not a note of the engine. */
export function isUserInput(item: WireObject): boolean {
  if (item["type"] !== "message" || item["role"] !== "user") return false;
  const [first] = Array.isArray(item["content"]) ? (item["content"] as readonly { text?: unknown }[]) : [];
  return !(
    typeof first?.text === "string" &&
    (NOTES.test(first.text) || AGENTS_MD_BEGINNING.test(first.text))
  );
}
