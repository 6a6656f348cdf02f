import type { UserInput } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";

const MAX_CHARS = 1_048_576;

/** Throws the real server's error for input that a turn cannot have. */
export function checkInput(input: readonly UserInput[]): void {
  let chars = 0;
  for (const part of input) {
    if (part.type === "text") chars += part.text.length;
    if (part.type === "image" && "url" in part && !part.url.startsWith("data:")) {
      const text = "remote image URLs are not supported; use an inline data URL instead";
      throw new ResponseError(-32600, text);
    }
  }
  if (chars <= MAX_CHARS) return;
  throw new ResponseError(-32602, `Input exceeds the maximum length of ${MAX_CHARS} characters.`, {
    input_error_code: "input_too_large",
    max_chars: MAX_CHARS,
    actual_chars: chars,
  });
}

/** Fills in the fields that a client may omit. */
export function shown(part: UserInput): UserInput {
  if (part.type === "text") return { ...part, text_elements: part.text_elements ?? [] };
  if (part.type === "image" || part.type === "localImage") return { detail: null, ...part } as UserInput;
  return part;
}
