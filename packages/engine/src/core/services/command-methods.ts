import type { Handlers } from "codexwright/endpoint";
import type { CommandExecParams } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { fromBase64, toBase64 } from "../bytes.ts";
import { decoding } from "../commands/output.ts";
import { startCommand } from "../commands/start-command.ts";
import type { EngineHost } from "../host.ts";
import type { ShellProcess } from "../ports.ts";

/** The exit codes of a command that was killed and of one that timed out. */
const KILLED = 137;
const TIMED_OUT = 124;

interface Running {
  readonly child: ShellProcess;
  /** Kills the command and reports this exit code to the client. */
  end(exitCode: number): void;
}

/** The methods that run commands without a thread. */
export function commandMethods(host: EngineHost): Handlers {
  const running = new Map<string, Running>();
  const find = (processId: string, connection: { readonly id: number }): Running => {
    const command = running.get(`${connection.id} ${processId}`);
    if (command) return command;
    throw new ResponseError(-32600, `no active command/exec for process id ${JSON.stringify(processId)}`);
  };
  return {
    "command/exec": async (params, { connection, signal }) => {
      check(params);
      const { processId } = params;
      const key = processId ? `${connection.id} ${processId}` : undefined;
      if (key !== undefined && running.has(key)) {
        const id = JSON.stringify(processId);
        throw new ResponseError(-32600, `duplicate active command/exec process id: ${id}`);
      }
      const written = { stdout: "", stderr: "" };
      const decode = decoding();
      const started = {
        argv: params.command,
        cwd: params.cwd ?? host.defaults.cwd,
        stdin: params.streamStdin,
        onData: (bytes: Uint8Array, stream: "stdout" | "stderr") => {
          written[stream] += decode(bytes, stream);
          if (!params.streamStdoutStderr || !processId) return;
          connection.notify("command/exec/outputDelta", {
            processId,
            stream: params.tty ? "stdout" : stream,
            deltaBase64: toBase64(bytes),
            capReached: false,
          });
        },
      };
      const child = await startCommand(host, started, undefined);
      let forced: number | undefined;
      const end = (exitCode: number): void => {
        forced ??= exitCode;
        child.kill();
      };
      if (key !== undefined) running.set(key, { child, end });
      const gone = (): void => end(KILLED);
      signal.addEventListener("abort", gone, { once: true });
      const timer = limit(params, () => end(TIMED_OUT));
      try {
        const code = await child.exited;
        const exitCode = forced ?? code;
        return params.streamStdoutStderr ? { exitCode, stdout: "", stderr: "" } : { exitCode, ...written };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", gone);
        if (key !== undefined) running.delete(key);
      }
    },
    "command/exec/write": ({ processId, deltaBase64, closeStdin }, { connection }) => {
      const { child } = find(processId, connection);
      if (deltaBase64) void child.write(fromBase64(deltaBase64));
      if (closeStdin) child.end();
      return {};
    },
    "command/exec/terminate": ({ processId }, { connection, afterAnswer }) => {
      const command = find(processId, connection);
      afterAnswer(() => command.end(KILLED));
      return {};
    },
    "command/exec/resize": ({ processId }, { connection }) => {
      find(processId, connection);
      return {};
    },
  };
}

function check({ command, processId, streamStdoutStderr, streamStdin, tty }: CommandExecParams): void {
  if (command.length === 0) throw new ResponseError(-32600, "command must not be empty");
  if ((streamStdoutStderr || streamStdin || tty) && !processId) {
    const text = "command/exec tty or streaming requires a client-supplied processId";
    throw new ResponseError(-32600, text);
  }
}

function limit(params: CommandExecParams, over: () => void): ReturnType<typeof setTimeout> | undefined {
  if (params.disableTimeout) return undefined;
  return setTimeout(over, params.timeoutMs ?? 10_000);
}
