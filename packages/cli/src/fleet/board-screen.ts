import { createLogUpdate } from "log-update";
import { eraseLines, shown } from "../shared/terminal.ts";
import { brokenRows } from "../show/broken-rows.ts";

/** How often the screen is drawn, for ages and countdowns. */
const REDRAW_MS = 1_000;

/** Repaints lines in place, at the end of a terminal. */
export class BoardScreen {
  readonly #lines: () => readonly string[];
  readonly #log = createLogUpdate(process.stdout);
  readonly #timer: ReturnType<typeof setInterval>;
  #drawn: readonly string[] = [];
  #closed = false;

  constructor(lines: () => readonly string[]) {
    this.#lines = lines;
    this.#timer = setInterval(() => this.draw(), REDRAW_MS);
    process.stdout.on("resize", this.#onResize);
    this.draw();
  }

  draw(): void {
    if (this.#closed) return;
    // Rows beyond the height of the terminal could not be erased again.
    const rows = Math.max(3, (process.stdout.rows || 24) - 1);
    const lines = this.#lines();
    const fitting = lines.length > rows ? [...lines.slice(0, rows - 1), "…"] : lines;
    const drawn = fitting.map((line) => shown(line));
    // The package does not erase all old lines if the number of lines changes in their middle.
    if (drawn.length !== this.#drawn.length) this.#log.clear();
    this.#drawn = drawn;
    this.#log(drawn.join("\n"));
  }

  /** Leaves the last lines on the terminal. */
  close(): void {
    if (this.#closed) return;
    this.draw();
    this.#closed = true;
    clearInterval(this.#timer);
    process.stdout.off("resize", this.#onResize);
    this.#log.done();
  }

  /** A narrower terminal has wrapped our lines into more rows, which must be erased too. */
  readonly #onResize = (): void => {
    this.#log.clear();
    eraseLines(brokenRows(this.#drawn, process.stdout.columns || 80));
    this.#drawn = [];
    this.draw();
  };
}
