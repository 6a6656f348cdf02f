import type { Transport } from "codexwright";
import { Fifo } from "./fifo.ts";

type Step = () => void;

/** Matches one of our requests, as the connection writes it. */
const REQUEST = /^\{"id":\d+,"method"/;
/** Matches an answer, as app-servers write it: errors come before the id. */
const ANSWER = /^\{"(?:id":[^,"]{1,20},"(?:result|error)|result|error)"/;

/**
 * Keeps an answer from the app-server in order with the messages that follow it.
 *
 * The effects of an answer in the gateway (for example, a client is subscribed to the thread that it opened) happen
 * several promise callbacks after the answer was read. By then, the following lines of the same chunk would have
 * overtaken it. So the line after an answer waits for the next turn of the event loop.
 *
 * Each request allows at most one wait. Without this limit, a server could send lines that only look like answers
 * faster than one per loop turn, and the waiting lines would fill the memory.
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
