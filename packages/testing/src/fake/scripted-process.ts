import type { Gate } from "../model-gate.ts";
import type { ShellCommand, ShellProcess } from "@codexwright/engine";
import type { CommandIo, CommandOutcome } from "./scripted-shell.ts";

/** The behaviour of a scripted command. */
interface Played {
  readonly output?: string | readonly string[] | undefined;
  readonly stderr?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly run?: CommandOutcome["run"] | undefined;
  readonly until?: Gate | undefined;
}

/** The exit code of a command that was killed. */
const KILLED = 137;

/** A command that is not executed: its output and exit code come from the script. */
export class ScriptedProcess implements ShellProcess {
  readonly exited: Promise<number>;
  exitCode: number | undefined;
  readonly #onData: ShellCommand["onData"];
  readonly #ending = new AbortController();
  readonly #input: (string | undefined)[] = [];
  #exit: (exitCode: number) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  #readers: ((text: string | undefined) => void)[] = [];

  constructor(onData: ShellCommand["onData"]) {
    this.#onData = onData;
    this.exited = new Promise((resolve, reject) => {
      this.#exit = (exitCode) => {
        this.exitCode ??= exitCode;
        resolve(exitCode);
      };
      this.#fail = reject;
    });
  }

  /** Writes the scripted output, then ends with the scripted exit code. */
  play({ output = "", stderr = "", exitCode = 0, run, until }: Played): void {
    for (const piece of typeof output === "string" ? [output] : output) {
      if (piece !== "") this.#write(piece, "stdout");
    }
    if (stderr !== "") this.#write(stderr, "stderr");
    if (until) {
      until.arrive();
      void until.opened.then(() => this.#exit(exitCode));
    } else if (run) {
      const io: CommandIo = {
        write: (text, stream = "stdout") => this.#write(text, stream),
        read: () => this.#read(),
        signal: this.#ending.signal,
      };
      // A killed command may still run, but its result is ignored.
      Promise.resolve(run(io)).then((code) => this.#exit(code ?? exitCode), this.#fail);
    } else this.#exit(exitCode);
  }

  write(bytes: Uint8Array): Promise<void> {
    this.#given(new TextDecoder().decode(bytes));
    return Promise.resolve();
  }

  end(): void {
    this.#given(undefined);
  }

  kill(): void {
    this.#exit(KILLED);
    this.#ending.abort();
    for (const reader of this.#readers.splice(0)) reader(undefined);
  }

  #given(text: string | undefined): void {
    const reader = this.#readers.shift();
    if (reader) reader(text);
    else this.#input.push(text);
  }

  #write(text: string, stream: "stdout" | "stderr"): void {
    if (!this.#ending.signal.aborted) this.#onData(new TextEncoder().encode(text), stream);
  }

  #read(): Promise<string | undefined> {
    if (this.#input.length > 0) return Promise.resolve(this.#input.shift());
    if (this.#ending.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#readers.push(resolve));
  }
}
