import type { ApiState } from "@codexwright/orchestrator/cli";
import { BoardScreen } from "../../packages/cli/src/fleet/board-screen.ts";
import { boardLines } from "../../packages/cli/src/fleet/board.ts";
import { styleFor } from "../../packages/cli/src/shared/style.ts";
import { truncate } from "../../packages/cli/src/shared/table.ts";
import { clean } from "../../packages/cli/src/shared/text.ts";

const MOST_LINES = 12;

/** Shows the story: on a terminal above the status of the fleet, elsewhere line by line. */
export class Show {
  readonly isTerminal: boolean = process.stdout.isTTY && process.env["TERM"] !== "dumb";
  state: ApiState | undefined;
  /** The keys that can be pressed now. */
  keys: readonly string[] = [];
  readonly #style = styleFor(process.stdout);
  readonly #story: string[] = [];
  readonly #screen: BoardScreen | undefined;

  constructor() {
    if (this.isTerminal) this.#screen = new BoardScreen(() => this.#lines());
  }

  tell(text: string): void {
    const line = clean(text);
    this.#story.push(line);
    if (this.#screen === undefined) this.print(line);
    else this.#screen.draw();
  }

  print(text = ""): void {
    process.stdout.write(`${text}\n`);
  }

  /** Leaves the last screen on the terminal. */
  close(): void {
    this.keys = [];
    this.#screen?.close();
  }

  #lines(): readonly string[] {
    const width = (process.stdout.columns || 80) - 1;
    const story = this.#story.slice(-MOST_LINES).map((line) => this.#style.cyan(truncate(line, width)));
    const look = { style: this.#style, width, isTerminal: true, now: Date.now() };
    const board = this.state === undefined ? [] : ["", ...boardLines(this.state, look)];
    const keys = this.keys.map((line) => this.#style.bold(truncate(line, width)));
    return [...story, ...board, "", ...keys];
  }
}

/** Calls back with each key that is pressed. Returns a function that gives the keyboard back. */
export function onKeys(pressed: (key: string) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY) return () => {};
  const listener = (data: Buffer): void => pressed(data.toString());
  stdin.setRawMode(true).on("data", listener).resume();
  return () => {
    stdin.off("data", listener).setRawMode(false).pause();
  };
}
