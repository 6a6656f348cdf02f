import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadOf, messagesOf, threadsOf } from "../lib/load.ts";
import { measured } from "../lib/measured.ts";
import type { Figures } from "../lib/sample.ts";

const LAST = -1;
const MARK = `"id":${LAST}`;

/**
 * Reads the bytes and does not process them: the minimal work of any client, even if it skips all messages.
 */
export async function run(server: string, word: string): Promise<Figures> {
  const load = loadOf(word);
  const child = spawn(server, ["app-server"], { stdio: ["pipe", "pipe", "inherit"] });
  const ask = (id: number, method: string, params: object): void =>
    void child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  ask(0, "initialize", { clientInfo: { name: "raw", version: "0" } });
  await once(child.stdout, "data");
  const figures = await measured(messagesOf(load), async () => {
    const ended = new Promise<void>((resolve) => {
      let end = "";
      child.stdout.on("data", (chunk: Buffer) => {
        // A read may end in the middle of the mark.
        const seam = end + chunk.toString("latin1", 0, MARK.length);
        end = chunk.subarray(-MARK.length).toString("latin1");
        if (chunk.includes(MARK) || seam.includes(MARK)) resolve();
      });
    });
    for (const { threadId } of threadsOf(load)) ask(1, "turn/start", { threadId, input: [] });
    // The server answers in order, so this answer arrives after everything else.
    ask(LAST, "thread/loaded/list", {});
    await ended;
  });
  child.stdin.end();
  return figures;
}
