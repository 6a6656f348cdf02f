import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../host.ts";
import { checkCells, checkSize, checkTimeout, ClientProcess, overrides } from "./client-process.ts";

/** The methods that start processes outside of the sandbox. `process/exited` reports their ends. */
export function processMethods(host: EngineHost): Handlers {
  const running = new Map<string, ClientProcess>();
  const find = (handle: string, connection: { readonly id: number }): ClientProcess => {
    const found = running.get(`${connection.id} ${handle}`);
    if (found) return found;
    throw new ResponseError(-32600, `no active process for process handle ${JSON.stringify(handle)}`);
  };
  return {
    "process/spawn": async (params, { connection, afterAnswer }) => {
      const {
        command,
        processHandle,
        cwd,
        tty = false,
        streamStdin = false,
        streamStdoutStderr = false,
      } = params;
      if (command.length === 0) throw new ResponseError(-32600, "command must not be empty");
      if (processHandle === "") throw new ResponseError(-32600, "processHandle must not be empty");
      if (!host.platform.paths.isAbsolute(cwd)) {
        const text = "Invalid request: AbsolutePathBuf deserialized without a base path";
        throw new ResponseError(-32600, text);
      }
      checkSize(params, "process/spawn");
      checkTimeout(params.timeoutMs, "process/spawn");
      const key = `${connection.id} ${processHandle}`;
      if (running.has(key)) {
        throw new ResponseError(-32600, `duplicate active process handle: ${JSON.stringify(processHandle)}`);
      }
      const answered = gate();
      const made = new ClientProcess(
        host,
        {
          name: "process",
          argv: command,
          cwd,
          env: overrides(params.env),
          policy: undefined,
          tty,
          size: params.size,
          streamStdin,
          streams: tty || streamStdoutStderr,
          capBytes: params.outputBytesCap,
          timeoutMs: params.timeoutMs,
          onDelta: (delta) =>
            answered.after(() => connection.notify("process/outputDelta", { processHandle, ...delta })),
        },
        connection.signal,
      );
      running.set(key, made);
      try {
        await made.started();
      } catch (error) {
        running.delete(key);
        throw error;
      }
      const exited = made.ended().then((end) => {
        running.delete(key);
        answered.after(() => connection.notify("process/exited", { processHandle, ...end }));
        return end;
      });
      exited.catch((error: unknown) => host.failed(error));
      afterAnswer(answered.open);
      return {};
    },
    "process/writeStdin": async ({ processHandle, ...input }, { connection, afterAnswer }) => {
      if (typeof input.deltaBase64 !== "string" && !input.closeStdin) {
        throw new ResponseError(-32602, "process/writeStdin requires deltaBase64 or closeStdin");
      }
      await find(processHandle, connection).write(input, afterAnswer);
      return {};
    },
    "process/kill": ({ processHandle }, { connection, afterAnswer }) => {
      const found = find(processHandle, connection);
      afterAnswer(() => found.end());
      return {};
    },
    "process/resizePty": async ({ processHandle, size }, { connection }) => {
      checkCells(size, "process");
      await find(processHandle, connection).resize(size);
      return {};
    },
  };
}

/** Holds back messages until the answer was written, in their order. */
function gate(): { readonly open: () => void; readonly after: (send: () => void) => void } {
  let waiting: (() => void)[] | undefined = [];
  return {
    open: () => {
      const all = waiting ?? [];
      waiting = undefined;
      for (const send of all) send();
    },
    after: (send) => {
      if (waiting) waiting.push(send);
      else send();
    },
  };
}
