import { isJsonObject } from "codexwright/internal";
import type { UserInput } from "codexwright/protocol";
import { ArgumentsError, optional, required } from "../commands/arguments.ts";
import { idProblem } from "../ids.ts";
import type { WireObject } from "../wire-object.ts";

/** The message to an agent: a text, or parts. */
export function inputOf(args: WireObject): UserInput[] {
  const message = optional(args, "message", "string");
  const { items } = args;
  if (message !== undefined && items !== undefined && items !== null) {
    throw new ArgumentsError("give either `message` or `items`, not both");
  }
  const input = message === undefined ? (Array.isArray(items) ? items.map(partOf) : []) : [textPart(message)];
  if (input.every((part) => part.type === "text" && part.text.trim() === "")) {
    throw new ArgumentsError("an agent needs a message that is not empty");
  }
  return input;
}

/** The text of a message for the item that clients get. */
export function promptOf(input: readonly UserInput[]): string {
  return input.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

export function idOf(args: WireObject, name: string): string {
  return checked(required(args, name, "string"));
}

/** The ids of agents, each once. */
export function idsOf(args: WireObject): string[] {
  const ids = [...new Set(required(args, "targets", "strings"))];
  if (ids.length === 0) throw new ArgumentsError("`targets` must name an agent");
  return ids.map((id) => checked(id));
}

const WAIT_MS = { least: 10_000, most: 3_600_000, usual: 30_000 } as const;

/** How long to wait, within the limits. */
export function waitMsOf(args: WireObject): number {
  const ms = optional(args, "timeout_ms", "count");
  if (ms === 0) throw new ArgumentsError("`timeout_ms` must be greater than zero");
  return Math.min(WAIT_MS.most, Math.max(WAIT_MS.least, ms ?? WAIT_MS.usual));
}

function checked(id: string): string {
  const problem = idProblem(id);
  if (problem !== undefined) throw new ArgumentsError(`invalid agent id: ${problem}`);
  return id;
}

/** Other parts would read files, which the model has tools for. */
function partOf(part: unknown): UserInput {
  const { type, text, image_url: url, name, path } = isJsonObject(part) ? part : ({} as WireObject);
  if (type === "image" && typeof url === "string") return { type: "image", url };
  if (type === "text" && typeof text === "string") return textPart(text);
  if ((type === "mention" || type === "skill") && typeof name === "string" && typeof path === "string") {
    return textPart(`[${name}](${path})`);
  }
  throw new ArgumentsError('an item must be a "text" with `text` or an "image" with `image_url`');
}

function textPart(text: string): UserInput {
  return { type: "text", text, text_elements: [] };
}
