import { isJsonObject } from "codexwright/internal";
import { OUTPUT_TOKENS, TOKEN_BYTES } from "./budget.ts";
import { outputType } from "./pairs.ts";
import { utf8 } from "../bytes.ts";
import type { WireObject } from "../wire-object.ts";

/** A provider scales an image to a fixed size, so the length of its data does not matter. */
const IMAGE_TOKENS = 1_850;
const MODEL_ITEMS: ReadonlySet<unknown> = new Set(["reasoning", "web_search_call", "compaction"]);
/** Items never change, so each is measured once. */
const measured = new WeakMap<WireObject, number>();

/** About how many tokens the items take in a request. */
export function tokensOf(items: readonly WireObject[]): number {
  return items.reduce((sum, item) => sum + tokensOfItem(item), 0);
}

/** About how many tokens this text takes. */
export function tokensOfText(text: string): number {
  return Math.ceil(utf8(text).length / TOKEN_BYTES);
}

/** The items that were added after the last item of the model. Its usage does not contain them. */
export function sinceModel(items: readonly WireObject[]): readonly WireObject[] {
  return items.slice(items.findLastIndex((item) => isOfModel(item)) + 1);
}

function isOfModel(item: WireObject): boolean {
  if (item["type"] === "message") return item["role"] === "assistant";
  return outputType(item) !== undefined || MODEL_ITEMS.has(item["type"]);
}

function tokensOfItem(item: WireObject): number {
  const known = measured.get(item);
  if (known !== undefined) return known;
  let images = 0;
  const text = JSON.stringify(item, (_key, value: unknown) => {
    if (isJsonObject(value) && value["type"] === "input_image") {
      images++;
      return undefined;
    }
    return value;
  });
  const whole = tokensOfText(text);
  // A request has at most this much of an output.
  const tokens =
    (item["output"] === undefined ? whole : Math.min(whole, OUTPUT_TOKENS)) + images * IMAGE_TOKENS;
  measured.set(item, tokens);
  return tokens;
}
