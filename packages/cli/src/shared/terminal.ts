import { Console } from "node:console";
import { escaped } from "./text.ts";

// The only file that writes to stdout and stderr, which a test checks: what is printed passes here.

export type StreamName = "stdout" | "stderr";

/** The colours of our styles, one at a time. No other sequence of a text's own gets through: not one that hides text. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const COLOUR = /(\u001B\[(?:[0-4]|7|9|2[2-9]|3[0-7]|39|9[0-7])?m)/;

/** Writes text without colours. */
export function write(stream: StreamName, text: string): void {
  process[stream].write(escaped(text));
}

/** Writes text that our styles have coloured. */
export function writeStyled(stream: StreamName, text: string): void {
  process[stream].write(shown(text));
}

/** What {@link writeStyled} writes. */
export function shown(text: string): string {
  const parts = text.split(COLOUR);
  // Every second one is a colour.
  return parts.map((part, index) => (index % 2 === 0 ? escaped(part) : part)).join("");
}

/** Writes the bytes of a command that the user runs, as a shell does: they act on the terminal. */
export function writeBytes(stream: StreamName, bytes: Uint8Array): void {
  process[stream].write(bytes);
}

/** The columns that help is laid out in: those of the terminal, or what its reader asked for. */
export function helpWidth(): number {
  return process.stdout.columns || Number(process.env["COLUMNS"]) || 80;
}

/** Takes so many lines away above the cursor. */
export function eraseLines(count: number): void {
  process.stdout.write("\u001B[1A\u001B[2K".repeat(count));
}

/** Nobody has to read to the end: `codexwright --help | head`. */
export function allowHangUp(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore).on("error", ignore);
}

function ignore(): void {}

/** Has what the user's own modules print go to stderr: stdout is for our lines. */
export function moveConsole(): void {
  globalThis.console = new Console(process.stderr);
}
