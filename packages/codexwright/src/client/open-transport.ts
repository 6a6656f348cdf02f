import { AbortedError } from "../rpc/errors.ts";
import { offAbort, onAbort } from "../rpc/on-abort.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";

/** A channel, unless the signal is faster; one that comes too late is closed. */
export async function openTransport(factory: TransportFactory, signal: AbortSignal): Promise<Transport> {
  const opening = Promise.resolve().then(() => factory(signal));
  let giveUp = (): void => {};
  const given = new Promise<never>((_resolve, reject) => {
    giveUp = (): void => reject(new AbortedError("connecting", "notSent", signal.reason));
    if (signal.aborted) giveUp();
    else onAbort(signal, giveUp);
  });
  try {
    return await Promise.race([opening, given]);
  } catch (error) {
    void opening.then((transport) => transport.close()).catch(() => {});
    throw error;
  } finally {
    offAbort(signal, giveUp);
  }
}
