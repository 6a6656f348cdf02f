import { spawn } from "node:child_process";
import { DELTA_METHOD, DeltaCheck, THREAD_ID } from "../lib/deltas.ts";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params: { readonly delta: string };
}

/** The least a client can do: split, parse, count. */
export async function run(server: string, count: string): Promise<Figures> {
  const child = spawn(server, ["app-server"], { stdio: ["pipe", "pipe", "inherit"] });
  const check = new DeltaCheck();
  let cpu = cpuTimer();
  let carry = "";
  const cpuMs = await new Promise<number>((resolve, reject) => {
    const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
    const take = (message: Message): void => {
      if (message.method === DELTA_METHOD) check.take(message.params.delta);
      else if (message.method === "turn/completed") resolve(cpu());
      else if (message.id === 0) {
        send({ method: "initialized", params: {} });
        send({ id: 1, method: "thread/start", params: {} });
      } else if (message.id === 1) {
        cpu = cpuTimer();
        send({ id: 2, method: "turn/start", params: { threadId: THREAD_ID, input: [] } });
      }
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (carry + text).split("\n");
      carry = lines.pop() ?? "";
      for (const line of lines) take(JSON.parse(line) as Message);
    });
    child.on("error", reject);
    send({ id: 0, method: "initialize", params: { clientInfo: { name: "raw", version: "0" } } });
  });
  check.complete(Number(count));
  child.stdin.end();
  return { cpuMs };
}
