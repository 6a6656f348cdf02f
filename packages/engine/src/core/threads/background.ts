import type { ShellProcess } from "../ports.ts";

interface Terminal {
  end(exitCode: number): void;
  kill(): void;
}

/** Commands that keep running after the turn that started them was interrupted. */
export class BackgroundTerminals {
  readonly #terminals = new Set<Terminal>();

  get size(): number {
    return this.#terminals.size;
  }

  /**
   * Waits until a command ends, and returns its exit code. Returns `undefined` if the signal aborts first; the command
   * then keeps running. Calls `complete` when the command ends or is cleaned up.
   */
  async run(
    child: ShellProcess,
    signal: AbortSignal,
    complete: (exitCode: number) => void,
  ): Promise<number | undefined> {
    const terminal: Terminal = {
      end: (code) => {
        if (this.#terminals.delete(terminal)) complete(code);
      },
      kill: () => child.kill(),
    };
    this.#terminals.add(terminal);
    const ended = child.exited.then((code) => {
      terminal.end(code);
      return code;
    });
    const interrupted = new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    return await Promise.race([ended, interrupted]);
  }

  /** Kills all commands, as the real server does for `thread/backgroundTerminals/clean`. */
  clean(): void {
    for (const terminal of this.#terminals) {
      terminal.end(-1);
      terminal.kill();
    }
  }
}
