import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** Bytes that a program wrote to its terminal, and when. */
export interface Chunk {
  readonly atMs: number;
  readonly data: string;
}

export interface RecordOptions {
  readonly cwd: string;
  /** The whole environment of the shell. Its `ENV` names a file that sets the prompt to `$ `. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number;
  readonly rows: number;
}

/** Acts as a person at the terminal. */
export interface Typist {
  /** Types a text, one key after another. */
  readonly type: (keys: string) => Promise<void>;
  /** Waits until the terminal has shown the text after the last key. */
  readonly shows: (expected: string | RegExp) => Promise<void>;
  /** Pauses, so that a viewer has time to read. */
  readonly rest: (forMs: number) => Promise<void>;
}

const KEY_MS = 45;
/** A recording that waits longer than this fails, and shows the output so far. */
const PATIENCE_MS = 60_000;

/** Records a shell in a pseudo-terminal of `script`, until `act` returns. */
export async function record(
  { cwd, env, columns, rows }: RecordOptions,
  act: (typist: Typist) => Promise<void>,
): Promise<Chunk[]> {
  // `script` copies the size of the terminal that it runs in. Here it does not run in a terminal, so the shell sets the
  // size.
  const shell = `stty cols ${columns} rows ${rows}; exec sh -i`;
  const child = spawn("script", ["-q", "-f", "-E", "always", "-c", shell, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm-256color", COLORTERM: undefined },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const chunks: Chunk[] = [];
  const since = performance.now();
  let shown = "";
  let wake = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (data: string) => {
    chunks.push({ atMs: performance.now() - since, data });
    shown += stripVTControlCharacters(data);
    wake();
  });
  const shows = async (expected: string | RegExp): Promise<void> => {
    const until = performance.now() + PATIENCE_MS;
    while (typeof expected === "string" ? !shown.includes(expected) : !expected.test(shown)) {
      if (performance.now() > until) throw new Error(`the terminal did not show ${expected}:\n${shown}`);
      const news = new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([news, delay(1_000)]);
    }
  };
  try {
    await shows("$ ");
    await act({
      shows,
      type: async (keys) => {
        for (const key of keys) {
          await delay(KEY_MS);
          shown = "";
          child.stdin.write(key);
        }
      },
      rest: (forMs) => delay(forMs),
    });
    return [...chunks];
  } finally {
    // Interrupts the running program, then ends the shell with its input.
    child.stdin.end("\u0003\u0004");
    await ended;
  }
}
