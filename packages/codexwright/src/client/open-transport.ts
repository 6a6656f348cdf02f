import { unlessAborted } from "../rpc/on-abort.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";

/** A channel, unless the signal is faster; one that comes too late is closed. */
export async function openTransport(factory: TransportFactory, signal: AbortSignal): Promise<Transport> {
  const opening = Promise.resolve().then(() => factory(signal));
  try {
    return await unlessAborted("connecting", opening, signal, "notSent");
  } catch (error) {
    void opening.then((transport) => transport.close()).catch(() => {});
    throw error;
  }
}
