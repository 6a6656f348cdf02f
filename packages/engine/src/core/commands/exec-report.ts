import { utf8 } from "../bytes.ts";
import { randomInteger } from "../ids.ts";
import { textOfKept, type Kept } from "./head-tail.ts";

const BYTES_PER_TOKEN = 4;
/** The default of `max_output_tokens`. */
const MAX_TOKENS = 10_000;

/** The state of a command after the model has waited for it. */
export interface Waited {
  readonly output: Kept;
  readonly wallMs: number;
  readonly maxTokens: number | undefined;
  /** The exit code, or the id of the session that still runs. */
  readonly end: { readonly exitCode: number } | { readonly sessionId: number };
}

/** The result of `exec_command` and `write_stdin`, as the model receives it. */
export function execReport({ output, wallMs, maxTokens, end }: Waited): string {
  return [
    `Chunk ID: ${randomInteger(0x100000, 0x1000000).toString(16)}`,
    `Wall time: ${(wallMs / 1_000).toFixed(4)} seconds`,
    "exitCode" in end
      ? `Process exited with code ${end.exitCode}`
      : `Process running with session ID ${end.sessionId}`,
    `Original token count: ${tokensOf(output.total)}`,
    "Output:",
    cut(output, maxTokens ?? MAX_TOKENS),
  ].join("\n");
}

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Returns at most so many tokens of an output: its beginning and its end. */
function cut(output: Kept, maxTokens: number): string {
  const text = textOfKept(output);
  const bytes = utf8(text);
  const budget = maxTokens * BYTES_PER_TOKEN;
  const what =
    output.omitted > 0
      ? `... ${output.omitted} bytes omitted ...\n`
      : `Total output lines: ${linesOf(text)}\n`;
  if (bytes.length <= budget) {
    return output.omitted > 0
      ? `Warning: truncated output (original token count: ${tokensOf(output.total)})\n${what}\n${text}`
      : text;
  }
  const half = Math.floor(budget / 2);
  const from = bytes.length - (budget - half);
  const decode = new TextDecoder("utf-8", { ignoreBOM: true });
  const head = decode.decode(bytes.subarray(0, half), { stream: true });
  let start = from;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  const tail = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start));
  const gone = tokensOf(bytes.length - budget);
  return `Warning: truncated output (original token count: ${tokensOf(output.total)})\n${what}\n${head}…${gone} tokens truncated…${tail}`;
}

function linesOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}
