import { emitKeypressEvents } from "node:readline";
import { isatty } from "node:tty";
import { createLogUpdate } from "log-update";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { Style } from "../shared/style.ts";
import { eraseLines, shown, writeStyled } from "../shared/terminal.ts";
import { brokenRows } from "./broken-rows.ts";
import { typed, type Key } from "./input-line.ts";

/** The part of a screen below the permanent text. */
export interface View {
  /** Lines about work in progress. */
  live(): readonly string[];
  status(): string;
  /** Called when a question was printed, which stays on the screen. */
  asked(): void;
}

/** Handlers for keys. */
export interface Keys {
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** The terminal was closed. */
  readonly gone: () => void;
  /** A line was typed. */
  readonly submit: (text: string) => void;
}

/** Whether shells can suspend a program. */
const CAN_SLEEP = process.platform !== "win32";

const REDRAW_MS = 40;
const TICK_MS = 200;

/** A terminal with permanent text, work in progress below it, a status line and an input line. */
export class Screen {
  readonly #view: View;
  readonly #keys: Keys;
  readonly #style: Style;
  readonly #log = createLogUpdate(process.stdout);
  readonly #ticks: ReturnType<typeof setInterval>;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  #text = "";
  #drawn: readonly string[] = [];
  /** Text that waits to be printed while a prompt uses the terminal. */
  #waiting: string | undefined;
  #asked: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(view: View, keys: Keys, style: Style) {
    this.#view = view;
    this.#keys = keys;
    this.#style = style;
    emitKeypressEvents(process.stdin);
    process.stdin.once("end", this.#onEnd);
    process.once("exit", dieWithTerminal);
    process.stdout.on("resize", this.#onResize);
    if (CAN_SLEEP) process.on("SIGTSTP", this.#onSleep).on("SIGCONT", this.#onWake);
    this.#ticks = setInterval(() => this.#draw(), TICK_MS);
    this.#take();
    this.#draw();
  }

  /** Prints permanent text. */
  print(text: string): void {
    if (text === "") return;
    if (this.#waiting !== undefined) {
      this.#waiting += text;
      return;
    }
    this.#log.clear();
    writeStyled("stdout", text);
    if (!this.#closed) this.#draw();
  }

  /** Schedules a redraw after the view has changed. */
  changed(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.#draw();
    }, REDRAW_MS);
  }

  /**
   * Lends the terminal to a prompt. Prompts are shown one at a time, in order. A prompt that was cancelled
   * before it was shown resolves to `undefined`.
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

  /** Restores the terminal. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#ticks);
    clearTimeout(this.#redraw);
    process.stdin.off("end", this.#onEnd);
    process.stdout.off("resize", this.#onResize);
    if (CAN_SLEEP) process.off("SIGTSTP", this.#onSleep).off("SIGCONT", this.#onWake);
    this.#release();
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
    this.#log.done();
    this.#drawn = [];
  }

  readonly #onKey = (_: string | undefined, key: Key): void => {
    if (key.ctrl && key.name === "c") return this.#keys.interrupt();
    // Stop the whole process group: it may include the process that started us.
    if (key.ctrl && key.name === "z" && CAN_SLEEP) return void process.kill(0, "SIGTSTP");
    const { text, submitted } = typed(this.#text, key);
    this.#text = text;
    if (submitted !== undefined) this.#keys.submit(submitted);
    this.#draw();
  };

  readonly #onEnd = (): void => {
    // The terminal is gone. A prompt that resets its mode would crash.
    process.stdin.setRawMode = () => process.stdin;
    this.#keys.gone();
  };

  /**
   * Restores the terminal while we are suspended. If no shell could resume us, the system does not suspend
   * us.
   */
  readonly #onSleep = (): void => {
    if (this.#waiting === undefined) this.#release();
    else process.stdin.setRawMode(false);
    process.off("SIGTSTP", this.#onSleep);
    process.kill(process.pid, "SIGTSTP");
    process.on("SIGTSTP", this.#onSleep);
    this.#onWake();
  };

  /** The shell has changed the terminal's mode in the meantime. */
  readonly #onWake = (): void => {
    process.stdin.setRawMode(false).setRawMode(true);
    if (this.#waiting !== undefined) return;
    this.#release();
    this.#take();
    this.#draw();
  };

  /** A narrower terminal has wrapped our lines into more rows, which must be erased too. */
  readonly #onResize = (): void => {
    this.#log.clear();
    eraseLines(brokenRows(this.#drawn, process.stdout.columns || 80));
    this.#drawn = [];
    this.#draw();
  };

  #draw(): void {
    if (this.#closed || this.#waiting !== undefined) return;
    const columns = Math.max(10, (process.stdout.columns || 80) - 1);
    const input = `${this.#style.cyan("›")} ${this.#text}${this.#style.inverse(" ")}`;
    const lines = ["", ...this.#view.live(), "", this.#view.status(), input];
    // Rows beyond the height of the terminal could not be erased again.
    const rows = lines.flatMap((line) =>
      wrapAnsi(untabbed(shown(line)), columns, { hard: true, trim: false }).split("\n"),
    );
    const drawn = rows.slice(-Math.max(3, (process.stdout.rows || 24) - 1));
    // The package does not move unchanged lines at the end if lines were added before them.
    if (drawn.length !== this.#drawn.length) this.#log.clear();
    this.#drawn = drawn;
    this.#log(drawn.join("\n"));
  }
}

/**
 * Node aborts if it cannot restore a terminal that is gone, and may leave a core file. So end by the signal
 * instead.
 */
function dieWithTerminal(): void {
  if (isatty(process.stdin.fd)) return;
  process.removeAllListeners("SIGHUP").kill(process.pid, "SIGHUP");
}

const TAB = 8;

/** Replaces tabs, whose width depends on their position, with spaces. */
function untabbed(line: string): string {
  return line
    .split("\t")
    .reduce((before, after) => before + " ".repeat(TAB - (stringWidth(before) % TAB)) + after);
}
