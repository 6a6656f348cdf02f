import { emitKeypressEvents } from "node:readline";
import { createLogUpdate } from "log-update";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { Style } from "../shared/style.ts";
import { typed, type Key } from "./input-line.ts";

/** What a screen shows below the text that stays. */
export interface View {
  /** What is under way. */
  live(): readonly string[];
  status(): string;
  /** Somebody was asked something, and that stays as well. */
  asked(): void;
}

/** What keys do. */
export interface Keys {
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** A line was typed. */
  readonly submit: (text: string) => void;
}

const REDRAW_MS = 40;
const TICK_MS = 200;

/** A terminal: text that stays, what is under way below it, a status line and a line to type in. */
export class Screen {
  readonly #view: View;
  readonly #keys: Keys;
  readonly #style: Style;
  readonly #log = createLogUpdate(process.stdout);
  readonly #ticks: ReturnType<typeof setInterval>;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  #text = "";
  #drawn: readonly string[] = [];
  /** While somebody else has the terminal, what would be printed waits. */
  #waiting: string | undefined;
  #asked: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(view: View, keys: Keys, style: Style) {
    this.#view = view;
    this.#keys = keys;
    this.#style = style;
    emitKeypressEvents(process.stdin);
    process.stdout.on("resize", this.#onResize);
    this.#ticks = setInterval(() => this.#draw(), TICK_MS);
    this.#take();
    this.#draw();
  }

  /** Prints text that stays. */
  print(text: string): void {
    if (text === "") return;
    if (this.#waiting !== undefined) {
      this.#waiting += text;
      return;
    }
    this.#log.clear();
    process.stdout.write(text);
    if (!this.#closed) this.#draw();
  }

  /** Something of the view has changed. */
  changed(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.#draw();
    }, REDRAW_MS);
  }

  /**
   * Lends the terminal to a prompt; one at a time, in the order they came. One that was taken back before its turn is
   * not shown, and gives `undefined`.
   */
  async ask<T>(text: string, signal: AbortSignal, prompt: () => Promise<T>): Promise<T | undefined> {
    const answer = this.#asked.then(async () => {
      if (signal.aborted) return undefined;
      this.print(text);
      this.#view.asked();
      this.#release();
      this.#waiting = "";
      try {
        return await prompt();
      } finally {
        const waiting = this.#waiting ?? "";
        this.#waiting = undefined;
        if (!this.#closed) this.#take();
        this.print(waiting);
        if (!this.#closed) this.#draw();
      }
    });
    this.#asked = answer.catch(() => {});
    return await answer;
  }

  /** Gives the terminal back, as it was. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#ticks);
    clearTimeout(this.#redraw);
    process.stdout.off("resize", this.#onResize);
    this.#release();
    this.#log.clear();
    this.#log.done();
  }

  #take(): void {
    process.stdin.setRawMode(true);
    process.stdin.on("keypress", this.#onKey);
    process.stdin.resume();
  }

  #release(): void {
    process.stdin.off("keypress", this.#onKey);
    process.stdin.setRawMode(false);
    process.stdin.pause();
    this.#log.clear();
    this.#drawn = [];
  }

  readonly #onKey = (_: string | undefined, key: Key): void => {
    if (key.ctrl && key.name === "c") return this.#keys.interrupt();
    const { text, submitted } = typed(this.#text, key);
    this.#text = text;
    if (submitted !== undefined) this.#keys.submit(submitted);
    this.#draw();
  };

  /** A terminal that got narrower has broken our lines in more: those must go as well. */
  readonly #onResize = (): void => {
    const columns = process.stdout.columns || 80;
    const rows = this.#drawn.map((line) => Math.max(1, Math.ceil(stringWidth(line) / columns)));
    const broken = rows.reduce((sum, row) => sum + row - 1, 0);
    this.#log.clear();
    if (broken > 0) process.stdout.write("\u001B[1A\u001B[2K".repeat(broken));
    this.#drawn = [];
    this.#draw();
  };

  #draw(): void {
    if (this.#closed || this.#waiting !== undefined) return;
    const columns = Math.max(10, (process.stdout.columns || 80) - 1);
    const input = `${this.#style.cyan("›")} ${this.#text}${this.#style.inverse(" ")}`;
    const lines = ["", ...this.#view.live(), "", this.#view.status(), input];
    // More than the terminal is high could not be taken away again.
    const rows = lines.flatMap((line) => wrapAnsi(line, columns, { hard: true, trim: false }).split("\n"));
    this.#drawn = rows.slice(-Math.max(3, (process.stdout.rows || 24) - 1));
    this.#log(this.#drawn.join("\n"));
  }
}
