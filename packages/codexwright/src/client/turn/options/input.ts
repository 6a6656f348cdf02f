import type { UserInput } from "../../../protocol/index.ts";
import { InvalidArgumentError } from "../../../rpc/errors.ts";

/** What a turn is started with: text, one input item, or several. */
export type TurnInput = string | UserInput | readonly UserInput[];

/** The wire's form of what the user gave. Newer servers refuse an empty input and older ones run it, so we refuse. */
export function toUserInput(input: TurnInput): UserInput[] {
  if (typeof input === "string") {
    if (input === "") throw new InvalidArgumentError("the turn's input is an empty string: say what to do");
    return [{ type: "text", text: input, text_elements: [] }];
  }
  const items = isList(input) ? [...input] : [input];
  if (items.length === 0)
    throw new InvalidArgumentError("the turn's input is an empty list: give at least one item");
  for (const item of items as unknown[]) {
    if (typeof item === "object" && item !== null) continue;
    throw new InvalidArgumentError(
      `the turn's input holds ${item === null ? "null" : typeof item}: give text, or items such as { type: "text", text }`,
    );
  }
  return items;
}

function isList(input: UserInput | readonly UserInput[]): input is readonly UserInput[] {
  return Array.isArray(input);
}
