import type { UserInput } from "codexwright/protocol";
import { ImageError } from "../images/image-file.ts";
import { uuid7 } from "../ids.ts";
import { TURN_ABORTED } from "../instructions/notes.ts";
import type { WireObject } from "../wire-object.ts";

/** Reads an image of the user into a data URL. Throws an ImageError, whose message is for the model. */
export type ReadImage = (path: string) => Promise<string>;

/** The user's input as a message to the model. */
export async function userMessage(input: readonly UserInput[], readImage: ReadImage): Promise<WireObject> {
  const content: WireObject[] = [];
  let images = 0;
  for (const part of input) {
    if (part.type === "localImage" && "path" in part) {
      content.push(...(await localImage(part.path, ++images, readImage)));
    } else if (part.type !== "skill") content.push(contentOf(part));
  }
  return message("user", content);
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

/** As Codex names them: the user may write of "Image #1". */
async function localImage(path: string, number: number, readImage: ReadImage): Promise<WireObject[]> {
  try {
    return [
      inputText(`<image name=[Image #${number}] path="${path}">`),
      { type: "input_image", image_url: await readImage(path), detail: "high" },
      inputText("</image>"),
    ];
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return [inputText(`The attached image ${path} cannot be used: ${error.message}`)];
  }
}

function contentOf(part: UserInput): WireObject {
  if (part.type === "text") return inputText(part.text);
  if (part.type === "image") return { type: "input_image", image_url: "url" in part ? part.url : "" };
  return inputText(JSON.stringify(part));
}
