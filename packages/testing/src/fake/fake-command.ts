import type { CommandIo, CommandOutcome } from "./host.ts";

/** A command that a client follows while the script plays it. */
export class FakeCommand {
  stdout = "";
  stderr = "";
  readonly #onOutput: (text: string, stream: "stdout" | "stderr") => void;
  readonly #ending = new AbortController();
  readonly #input: (string | undefined)[] = [];
  readonly #ended: Promise<number>;
  #end: (exitCode: number) => void = () => {};
  #readers: ((text: string | undefined) => void)[] = [];

  constructor(onOutput: (text: string, stream: "stdout" | "stderr") => void) {
    this.#onOutput = onOutput;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** Plays what the script says; resolves with the exit code. */
  run(outcome: CommandOutcome = {}): Promise<number> {
    const { output = "", stderr = "", exitCode = 0, run } = outcome;
    if (output !== "") this.#write(output, "stdout");
    if (stderr !== "") this.#write(stderr, "stderr");
    if (!run) return Promise.resolve(exitCode);
    const io: CommandIo = {
      write: (text, stream = "stdout") => this.#write(text, stream),
      read: () => this.#read(),
      signal: this.#ending.signal,
    };
    const played = Promise.resolve(run(io)).then((code) => code ?? exitCode);
    // Ended before, it may do what it likes.
    played.catch(() => {});
    return Promise.race([played, this.#ended]);
  }

  /** What the client writes to its stdin; `undefined` closes that. */
  input(text: string | undefined): void {
    const reader = this.#readers.shift();
    if (reader) reader(text);
    else this.#input.push(text);
  }

  /** Ends it from outside. */
  end(exitCode: number): void {
    this.#end(exitCode);
    this.#ending.abort();
    for (const reader of this.#readers.splice(0)) reader(undefined);
  }

  #write(text: string, stream: "stdout" | "stderr"): void {
    if (this.#ending.signal.aborted) return;
    this[stream] += text;
    this.#onOutput(text, stream);
  }

  #read(): Promise<string | undefined> {
    if (this.#input.length > 0) return Promise.resolve(this.#input.shift());
    if (this.#ending.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#readers.push(resolve));
  }
}
