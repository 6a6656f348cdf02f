import { Console } from "node:console";
import { escaped } from "./text.ts";

// The only file that writes to stdout and stderr, so that all output is escaped. A test checks this.

export type StreamName = "stdout" | "stderr";

/** Matches one colour of our styles. All other sequences are escaped, including those that hide text. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const COLOUR = /(\u001B\[(?:[0-4]|7|9|2[2-9]|3[0-7]|39|9[0-7])?m)/;

/** Writes text without colours. */
export function write(stream: StreamName, text: string): void {
  process[stream].write(escaped(text));
}

/** Writes text, keeping the colours of our styles. */
export function writeStyled(stream: StreamName, text: string): void {
  process[stream].write(shown(text));
}

/** Returns what {@link writeStyled} writes. */
export function shown(text: string): string {
  const parts = text.split(COLOUR);
  // Every second part is a colour.
  return parts.map((part, index) => (index % 2 === 0 ? escaped(part) : part)).join("");
}

/** Writes the bytes of a command that the user runs. As in a shell, the terminal interprets them. */
export function writeBytes(stream: StreamName, bytes: Uint8Array): void {
  process[stream].write(bytes);
}

/** The width of the help text: the terminal's width, or COLUMNS if the output is not a terminal. */
export function helpWidth(): number {
  return process.stdout.columns || Number(process.env["COLUMNS"]) || 80;
}

/** Erases this number of lines above the cursor. */
export function eraseLines(count: number): void {
  process.stdout.write("\u001B[1A\u001B[2K".repeat(count));
}

/** Ignores write errors of a reader that stops early, as in `codexwright --help | head`. */
export function allowHangUp(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore).on("error", ignore);
}

function ignore(): void {}

/** Redirects the output of the user's modules to stderr, because stdout is only for our own lines. */
export function moveConsole(): void {
  globalThis.console = new Console(process.stderr);
}
