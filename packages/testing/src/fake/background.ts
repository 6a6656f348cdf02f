import type { TurnRun } from "./turn-run.ts";

interface Terminal {
  readonly itemId: string;
  end(exitCode: number): void;
}

/** Commands that go on when the turn that started them was interrupted. */
export class BackgroundTerminals {
  readonly #terminals = new Set<Terminal>();

  get size(): number {
    return this.#terminals.size;
  }

  /** Lets a command run until `opened`. False where the turn was interrupted before: then it runs on behind it. */
  async run(
    itemId: string,
    opened: Promise<void>,
    run: TurnRun,
    complete: (exitCode: number) => void,
    exitCode: number,
  ): Promise<boolean> {
    const terminal: Terminal = {
      itemId,
      end: (code) => {
        if (this.#terminals.delete(terminal)) complete(code);
      },
    };
    this.#terminals.add(terminal);
    const ended = opened.then(() => {
      terminal.end(exitCode);
      return true;
    });
    const interrupted = new Promise<boolean>((resolve) => {
      run.signal.addEventListener("abort", () => resolve(false), { once: true });
    });
    return await Promise.race([ended, interrupted]);
  }

  /** Ends them all, as the real server does when it is asked to. */
  clean(): void {
    for (const terminal of this.#terminals) terminal.end(-1);
  }
}
