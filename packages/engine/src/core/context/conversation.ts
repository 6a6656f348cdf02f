import type { UserInput } from "codexwright/protocol";
import { uuid7 } from "../ids.ts";
import { TURN_ABORTED } from "../instructions/notes.ts";
import type { WireObject } from "../wire-object.ts";

/** The user's input as a message to the model. */
export function userMessage(input: readonly UserInput[]): WireObject {
  return message(
    "user",
    input.map((part) => contentOf(part)),
  );
}

export function message(
  role: "user" | "assistant" | "developer",
  content: readonly WireObject[],
): WireObject {
  return { type: "message", id: `msg_${uuid7()}`, role, content };
}

export function inputText(text: string): WireObject {
  return { type: "input_text", text };
}

/** Informs the model that the user interrupted the turn. */
export function abortedMessage(): WireObject {
  return message("user", [inputText(TURN_ABORTED)]);
}

function contentOf(part: UserInput): WireObject {
  if (part.type === "text") return inputText(part.text);
  if (part.type === "image") return { type: "input_image", image_url: "url" in part ? part.url : "" };
  return inputText(JSON.stringify(part));
}
