import { unlessAborted } from "../../../rpc/on-abort.ts";
import { checkArgument } from "../../../rpc/options/check.ts";
import { TRANSPORT, type Transport, type TransportFactory } from "../../../rpc/transport.ts";

/** Opens a transport. Rejects if the signal aborts first; a transport that opens later is closed. */
export async function openTransport(factory: TransportFactory, signal: AbortSignal): Promise<Transport> {
  const opening = Promise.resolve().then(() => factory(signal));
  try {
    const transport = await unlessAborted("connecting", opening, signal, "notSent");
    checkArgument("connect()", "the result of transport()", transport, TRANSPORT);
    return transport;
  } catch (error) {
    void opening.then((transport) => transport.close()).catch(() => {});
    throw error;
  }
}
