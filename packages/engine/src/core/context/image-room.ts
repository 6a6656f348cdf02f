import { isJsonObject } from "codexwright/internal";
import { NO_ROOM_FOR_IMAGE } from "../instructions/notes.ts";
import type { WireObject } from "../wire-object.ts";

/** The most characters of all images of a conversation. A request must fit into one text, with room to spare. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The room for images that tools return. Images for which there is none are replaced by a note. */
export class ImageRoom {
  #left: number;

  constructor(history: readonly WireObject[]) {
    const lists = history.flatMap(({ output, content }) => [output, content]);
    const parts = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
    this.#left = MOST_CHARACTERS - parts.reduce((sum, part) => sum + sizeOf(part), 0);
  }

  /** The output with the images that fit. They then take their part of the room. */
  fitted(output: string | readonly WireObject[]): string | readonly WireObject[] {
    if (typeof output === "string") return output;
    return output.map((part) => {
      const size = sizeOf(part);
      if (size === 0) return part;
      if (size > this.#left) return { type: "input_text", text: NO_ROOM_FOR_IMAGE };
      this.#left -= size;
      return part;
    });
  }
}

function sizeOf({ type, image_url: url }: WireObject): number {
  return type === "input_image" && typeof url === "string" ? url.length : 0;
}
