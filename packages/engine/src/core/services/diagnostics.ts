import type { Handlers } from "codexwright/endpoint";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** Methods for operators. They report the process, and counts without names. */
export function diagnosticMethods(host: ThreadsHost): Handlers {
  return {
    "server/diagnostics": () => {
      const threads = host.loaded.all();
      const { id = 0, residentMemoryBytes = null } = host.platform.process?.() ?? {};
      return {
        process: { id, residentMemoryBytes, physicalFootprintBytes: null },
        gauges: [
          { name: "app.clients.connected", value: host.endpoint.connections.length },
          { name: "app.threads.loaded", value: threads.length },
          { name: "app.turns.running", value: threads.filter(({ turn }) => turn !== undefined).length },
        ],
      };
    },
    // The engine has no features that a client can switch. As in Codex, unknown names are ignored.
    "experimentalFeature/list": () => ({ data: [], nextCursor: null }),
    "experimentalFeature/enablement/set": () => ({ enablement: {} }),
  };
}
