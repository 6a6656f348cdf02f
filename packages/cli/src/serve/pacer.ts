import type { Transport, TransportFactory } from "codexwright";

type Step = () => void;

/**
 * Keeps the order between an answer of the app-server's and what it says next.
 *
 * A client is subscribed to a thread once the answer that opens it is there. That runs a few promises after the
 * answer was read, and by then the lines behind it, which came with the same chunk, would have passed it by. So
 * while such an answer is awaited every line gets a task of its own; at all other times lines pass as they come.
 */
export class Pacer {
  #awaited = 0;

  /** Runs a request whose answer must have had its effects before the next line is heard. */
  async during<T>(request: () => Promise<T>): Promise<T> {
    this.#awaited++;
    try {
      return await request();
    } finally {
      this.#awaited--;
    }
  }

  wrap(factory: TransportFactory): TransportFactory {
    const paced = async (signal: AbortSignal): Promise<Transport> => {
      const inner = await factory(signal);
      const steps: Step[] = [];
      const drain = (): void => {
        do steps.shift()?.();
        while (this.#awaited === 0 && steps.length > 0);
        if (steps.length > 0) setImmediate(drain);
      };
      const pass = (step: Step): void => {
        if (this.#awaited === 0 && steps.length === 0) return step();
        if (steps.push(step) === 1) setImmediate(drain);
      };
      return {
        open: (sink) =>
          inner.open({
            line: (text) => pass(() => sink.line(text)),
            closed: (reason) => pass(() => sink.closed(reason)),
          }),
        send: (text) => inner.send(text),
        close: () => inner.close(),
      };
    };
    return Object.assign(paced, factory.cwd === undefined ? {} : { cwd: factory.cwd });
  }
}
