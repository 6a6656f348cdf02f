import { createLogUpdate } from "log-update";
import { shown } from "../shared/terminal.ts";

/** How often the screen is drawn, for ages and countdowns. */
const REDRAW_MS = 1_000;

/** Repaints lines in place, at the end of a terminal. */
export class BoardScreen {
  readonly #lines: () => readonly string[];
  readonly #log = createLogUpdate(process.stdout);
  readonly #timer: ReturnType<typeof setInterval>;
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
    const drawn = lines.length > rows ? [...lines.slice(0, rows - 1), "…"] : lines;
    this.#log(drawn.map((line) => shown(line)).join("\n"));
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

  readonly #onResize = (): void => {
    this.#log.clear();
    this.draw();
  };
}
