import type { Handlers } from "codexwright/endpoint";
import type { CommandExecParams } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { commandPolicy } from "../commands/command-policy.ts";
import type { EngineHost } from "../host.ts";
import { confined } from "../threads/thread-settings.ts";
import { checkCells, checkSize, checkTimeout, ClientProcess, overrides } from "./client-process.ts";

/** The methods that run commands without a thread, and answer when they have ended. */
export function commandMethods(host: EngineHost): Handlers {
  const running = new Map<string, ClientProcess>();
  const find = (processId: string, connection: { readonly id: number }): ClientProcess => {
    const command = running.get(`${connection.id} ${processId}`);
    if (command) return command;
    throw new ResponseError(-32600, `no active command/exec for process id ${JSON.stringify(processId)}`);
  };
  return {
    "command/exec": async (params, { connection, signal }) => {
      check(params);
      const { processId, tty = false, streamStdin = false, streamStdoutStderr = false } = params;
      const key = processId ? `${connection.id} ${processId}` : undefined;
      if (key !== undefined && running.has(key)) {
        const id = JSON.stringify(processId);
        throw new ResponseError(-32600, `duplicate active command/exec process id: ${id}`);
      }
      const { cwd: home } = host.defaults;
      const cwd = host.platform.paths.resolve(home, params.cwd ?? "");
      const { sandbox } = confined(host.config, host.defaults, {
        sandboxPolicy: params.sandboxPolicy ?? null,
        permissions: params.permissionProfile ?? null,
      });
      const streams = tty || streamStdoutStderr;
      const command = new ClientProcess(
        host,
        {
          name: "command/exec",
          argv: params.command,
          cwd,
          env: overrides(params.env),
          policy: commandPolicy(host, sandbox, cwd),
          tty,
          size: params.size,
          streamStdin,
          streams,
          capBytes: params.disableOutputCap ? null : (params.outputBytesCap ?? undefined),
          timeoutMs: params.disableTimeout ? null : (params.timeoutMs ?? undefined),
          onDelta: (delta) => {
            if (processId) connection.notify("command/exec/outputDelta", { processId, ...delta });
          },
        },
        signal,
      );
      if (key !== undefined) running.set(key, command);
      try {
        const { exitCode, stdout, stderr } = await command.ended();
        return { exitCode, stdout, stderr };
      } finally {
        if (key !== undefined) running.delete(key);
      }
    },
    "command/exec/write": async ({ processId, ...input }, { connection, afterAnswer }) => {
      if (typeof input.deltaBase64 !== "string" && !input.closeStdin) {
        throw new ResponseError(-32602, "command/exec/write requires deltaBase64 or closeStdin");
      }
      await find(processId, connection).write(input, afterAnswer);
      return {};
    },
    "command/exec/terminate": ({ processId }, { connection, afterAnswer }) => {
      const command = find(processId, connection);
      afterAnswer(() => command.end());
      return {};
    },
    "command/exec/resize": async ({ processId, size }, { connection }) => {
      checkCells(size, "command/exec");
      await find(processId, connection).resize(size);
      return {};
    },
  };
}

function check(params: CommandExecParams): void {
  const { command, processId, streamStdoutStderr, streamStdin, tty, timeoutMs } = params;
  if (command.length === 0) throw new ResponseError(-32600, "command must not be empty");
  checkSize(params, "command/exec");
  if ((streamStdoutStderr || streamStdin || tty) && !processId) {
    const text = "command/exec tty or streaming requires a client-supplied processId";
    throw new ResponseError(-32600, text);
  }
  const given = (value: unknown): boolean => value !== undefined && value !== null;
  if (given(params.outputBytesCap) && params.disableOutputCap) {
    throw new ResponseError(-32602, "command/exec cannot set both outputBytesCap and disableOutputCap");
  }
  if (given(timeoutMs) && params.disableTimeout) {
    throw new ResponseError(-32602, "command/exec cannot set both timeoutMs and disableTimeout");
  }
  checkTimeout(timeoutMs, "command/exec");
  if (params.sandboxPolicy && params.permissionProfile) {
    throw new ResponseError(-32600, "`permissionProfile` cannot be combined with `sandboxPolicy`");
  }
}
