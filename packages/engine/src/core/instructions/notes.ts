// Short texts that the engine writes into the conversation.

/** Tells the model that the user interrupted the turn. */
export const TURN_ABORTED =
  "<turn_aborted>\nThe user interrupted this turn on purpose. Tool calls that were running may have had part of their effect, and commands may still run in the background. Check before you rely on either.\n</turn_aborted>";

/** The output of a call that an interrupt ended. */
export const CALL_ABORTED = "aborted by user";

/** The output of a call whose real output was lost. */
export const CALL_LOST = "aborted";

/** The output of a call beyond the limit of calls in one response. */
export function tooManyCalls(limit: number): string {
  return `not run: a response may call at most ${limit} tools`;
}

/** Replaces an image for a model that takes none. */
export const IMAGE_LEFT_OUT = "[an image was left out, because this model does not take images]";

/** Replaces an image of a tool if the conversation has too many. */
export const NO_ROOM_FOR_IMAGE =
  "[an image was left out, because the images of this conversation are too large]";

/** Replaces a sound of an MCP server. */
export const AUDIO_LEFT_OUT = "[a sound was left out, because this model does not take sounds]";

/** Replaces an image whose address the model's server does not read. */
export function imageAddressLeftOut(address: string): string {
  return `[an image at ${address} was left out, because the server of this model reads no addresses]`;
}

/** Begins a conversation in which the user has not spoken, for providers that refuse it. */
export const NO_INPUT = "[the user has not written anything]";

/** Introduces images of a tool's output to a model whose tools can only answer with text. */
export const TOOL_IMAGES = "[images of the tool output before this message]";

/** A message of the developer for a model that hears the developer only at the beginning of a conversation. */
export function fromDeveloper(text: string): string {
  return `<developer>\n${text}\n</developer>`;
}

/** Stands in the middle of an output that was cut. */
export function cutNote(tokens: number): string {
  return `\n[… about ${tokens} tokens were left out here …]\n`;
}

/** Asks for the summary that replaces the conversation. */
export const COMPACTION_PROMPT =
  "The conversation has become too long and will be replaced by a summary that you write now. Another model goes on from it and sees nothing else. State the user's goal and every constraint and preference that still applies; what is done, with the files that changed and why; what was found out and decided; what failed; and the next steps. Quote names, paths, commands and error messages exactly. Leave out what no longer matters. Answer with the summary only.";

/** Introduces the summary to the model that goes on. */
export const COMPACTION_HANDOVER =
  "The earlier conversation was replaced by this summary, which the model before you wrote. Files and running commands are as it left them. Go on from here, and do not repeat what is done:";

/** Stands for a summary that the model left empty. */
export const NO_SUMMARY =
  "(The model wrote no summary. Look at the files and ask the user if something is unclear.)";
