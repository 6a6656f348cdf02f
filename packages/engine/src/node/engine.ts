import path from "node:path";
import { onAbort } from "codexwright/internal";
import { memoryPair, type Transport, type TransportFactory } from "codexwright/rpc";
import { EngineServer } from "../core/server.ts";
import { checkEngineOptions, engineDefaults, type EngineOptions } from "./engine-options.ts";

/**
 * Returns the `transport` of a `CodexClient` that runs an engine in this process: no binary and no subprocess. Each
 * connection opens an engine of its own, and closing the client closes that engine.
 */
export function engine(options: EngineOptions = {}): TransportFactory {
  checkEngineOptions("engine()", options);
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const connect = async (signal: AbortSignal): Promise<Transport> => {
    const server = new EngineServer(await engineDefaults({ ...options, cwd }));
    if (signal.aborted) {
      await server.close();
      throw signal.reason;
    }
    const [near, far] = memoryPair();
    onAbort(server.accept(far).signal, () => void server.close());
    return {
      open: (sink) => near.open(sink),
      send: (text) => near.send(text),
      async close() {
        await near.close();
        await server.close();
      },
    };
  };
  return Object.assign(connect, { cwd });
}
