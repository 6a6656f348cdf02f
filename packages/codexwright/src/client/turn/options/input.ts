import type { UserInput } from "../../../protocol/index.ts";
import { InvalidArgumentError } from "../../../rpc/errors.ts";

/** The input of a turn: text, one input item, or several. */
export type TurnInput = string | UserInput | readonly UserInput[];

/**
 * Converts the input to its wire form. Rejects an empty input, because newer servers reject it and older servers start
 * a turn without input.
 */
export function toUserInput(input: TurnInput): UserInput[] {
  if (typeof input === "string") {
    if (input === "") throw new InvalidArgumentError("the turn input must not be an empty string");
    return [{ type: "text", text: input, text_elements: [] }];
  }
  const items = isList(input) ? [...input] : [input];
  if (items.length === 0) throw new InvalidArgumentError("the turn input must not be an empty list");
  for (const item of items as unknown[]) {
    if (typeof item === "object" && item !== null) continue;
    throw new InvalidArgumentError(
      `the turn input must be text or items such as { type: "text", text } (got ${item === null ? "null" : typeof item})`,
    );
  }
  return items;
}

function isList(input: UserInput | readonly UserInput[]): input is readonly UserInput[] {
  return Array.isArray(input);
}
