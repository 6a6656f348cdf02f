import type { Transport } from "codexwright";
import { Fifo } from "./fifo.ts";

type Step = () => void;

/**
 * Keeps the order between an answer of the app-server's and what it says next.
 *
 * What an answer does here (a client follows the thread that it opened, and is told of it) happens a few promises
 * after it was read; by then the lines behind it, which came with the same chunk, would have passed it by. So the
 * line behind an answer waits for the next turn of the loop.
 */
export function paced(inner: Transport): Transport {
  const steps = new Fifo<Step>();
  let isWaiting = false;
  let isDraining = false;
  const drain = (): void => {
    isWaiting = false;
    isDraining = true;
    try {
      for (let step = steps.take(); step; step = isWaiting ? undefined : steps.take()) step();
    } finally {
      isDraining = false;
    }
  };
  const rest = (): void => {
    isWaiting = true;
    setImmediate(drain);
  };
  const pass = (step: Step): void => {
    steps.push(step);
    if (!isWaiting && !isDraining) drain();
  };
  const line = (text: string, deliver: (text: string) => void): void => {
    deliver(text);
    // The app-server writes the method of a notification first; a request that is taken for an answer is no harm.
    if (!text.startsWith('{"method"')) rest();
  };
  return {
    open: (sink) =>
      inner.open({
        line: (text) => pass(() => line(text, sink.line.bind(sink))),
        closed: (reason) => pass(() => sink.closed(reason)),
      }),
    send: (text) => inner.send(text),
    close: () => inner.close(),
  };
}
