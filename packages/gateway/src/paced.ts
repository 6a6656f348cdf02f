import type { Transport } from "codexwright";
import { Fifo } from "./fifo.ts";

type Step = () => void;

/** A request of ours, as the connection writes it. */
const REQUEST = /^\{"id":\d+,"method"/;
/** An answer, as app-servers write it: errors come before the id. */
const ANSWER = /^\{"(?:id":[^,"]{1,20},"(?:result|error)|result|error)"/;

/**
 * Keeps the order between an answer of the app-server's and what it says next.
 *
 * What an answer does here (a client follows the thread that it opened, and is told of it) happens a few promises
 * after it was read; by then the lines behind it, which came with the same chunk, would have passed it by. So the
 * line behind an answer waits for the next turn of the loop.
 *
 * There are as many waits as requests and no more: lines that only look like answers would come faster than one in
 * each turn leaves, and fill the memory.
 */
export function paced(inner: Transport): Transport {
  const steps = new Fifo<Step>();
  let awaited = 0;
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
    if (awaited === 0 || !ANSWER.test(text)) return;
    awaited--;
    rest();
  };
  return {
    open: (sink) =>
      inner.open({
        line: (text) => pass(() => line(text, sink.line.bind(sink))),
        closed: (reason) => pass(() => sink.closed(reason)),
      }),
    send: (text) => {
      if (REQUEST.test(text)) awaited++;
      return inner.send(text);
    },
    close: () => inner.close(),
  };
}
