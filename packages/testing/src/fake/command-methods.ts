import type { Handlers } from "codexwright/endpoint";
import type { CommandExecParams, CommandExecResponse } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { FakeCommand } from "./fake-command.ts";
import type { FakeHost } from "./host.ts";
import { joined } from "./shell-words.ts";

/** Commands without a thread. None is executed: the script says what each does. */
export function commandMethods(host: FakeHost): Handlers {
  const running = new Map<string, FakeCommand>();
  const find = (processId: string, connection: { readonly id: number }): FakeCommand => {
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
      const command = new FakeCommand((text, stream) => {
        if (!params.streamStdoutStderr || !processId) return;
        connection.notify("command/exec/outputDelta", {
          processId,
          stream: params.tty ? "stdout" : stream,
          deltaBase64: Buffer.from(text).toString("base64"),
          capReached: false,
        });
      });
      if (key !== undefined) running.set(key, command);
      const end = (): void => command.end(137);
      signal.addEventListener("abort", end, { once: true });
      const timer = limit(params, () => command.end(124));
      try {
        const exitCode = await command.run(outcomeOf(host, params.command));
        return answer(exitCode, command, params);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        if (key !== undefined) running.delete(key);
      }
    },
    "command/exec/write": ({ processId, deltaBase64, closeStdin }, { connection }) => {
      const command = find(processId, connection);
      if (deltaBase64) command.input(Buffer.from(deltaBase64, "base64").toString("utf8"));
      if (closeStdin) command.input(undefined);
      return {};
    },
    "command/exec/terminate": ({ processId }, { connection, afterAnswer }) => {
      const command = find(processId, connection);
      afterAnswer(() => command.end(137));
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

/** A shell's script counts as the command, so that one table serves turns and this. */
function outcomeOf(host: FakeHost, argv: readonly string[]): ReturnType<FakeHost["commands"]> {
  const [program = "", flag = "", script] = argv;
  const shell = /(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag);
  return host.commands(shell && script !== undefined ? script : joined(argv));
}

function limit(params: CommandExecParams, over: () => void): ReturnType<typeof setTimeout> | undefined {
  if (params.disableTimeout) return undefined;
  return setTimeout(over, params.timeoutMs ?? 10_000);
}

function answer(exitCode: number, command: FakeCommand, params: CommandExecParams): CommandExecResponse {
  if (params.streamStdoutStderr) return { exitCode, stdout: "", stderr: "" };
  return { exitCode, stdout: command.stdout, stderr: command.stderr };
}
