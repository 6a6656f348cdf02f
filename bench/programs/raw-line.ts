import { spawn } from "node:child_process";
import { idsOf } from "../lib/deltas.ts";
import type { Figures } from "../lib/sample.ts";
import { cpuTimer } from "../lib/usage.ts";

const LF = 0x0a;

/**
 * The least that a client can do with a very long line: store the chunks, join and decode them once, parse.
 */
export async function run(server: string): Promise<Figures> {
  const child = spawn(server, ["app-server"], { stdio: ["pipe", "pipe", "inherit"] });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  let chunks: Buffer[] = [];
  const arrival = async (isLast: (chunk: Buffer) => boolean): Promise<void> =>
    await new Promise((resolve) => {
      const take = (chunk: Buffer): void => {
        chunks.push(chunk);
        if (!isLast(chunk)) return;
        child.stdout.off("data", take);
        resolve();
      };
      child.stdout.on("data", take);
    });

  send({ id: 0, method: "initialize", params: { clientInfo: { name: "raw", version: "0" } } });
  send({ method: "initialized", params: {} });
  send({ id: 1, method: "thread/start", params: {} });
  await arrival((chunk) => chunk.includes('"id":1'));
  chunks = [];
  globalThis.gc?.();
  const cpu = cpuTimer();
  send({ id: 2, method: "turn/start", params: { threadId: idsOf(0).threadId, input: [] } });
  await arrival((chunk) => chunk.at(-1) === LF && chunk.includes('"turn/completed"'));
  const lines = Buffer.concat(chunks).toString("utf8").trimEnd().split("\n");
  const parsed = lines.map((line): unknown => JSON.parse(line));
  const cpuMs = cpu();
  if (parsed.length !== 5) throw new Error(`${parsed.length} lines came out of 5`);
  child.stdin.end();
  return { cpuMs };
}
