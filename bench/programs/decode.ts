import { LineDecoder } from "codexwright/rpc";
import type { Figures } from "../lib/sample.ts";
import { valueOf, type Shape } from "../lib/shapes.ts";
import { cpuTimer } from "../lib/usage.ts";

const CHUNK = 64 * 1024;

/** Decodes the same line from the chunks that a pipe delivers. */
export async function run(shape: string, bytes: string): Promise<Figures> {
  const chunks = chunksOf(`${JSON.stringify(valueOf(shape as Shape, Number(bytes)))}\n`);
  globalThis.gc?.();
  let lines = 0;
  const cpu = cpuTimer();
  const decoder = new LineDecoder((line) => {
    JSON.parse(line);
    lines++;
  });
  for (const chunk of chunks) decoder.push(chunk);
  const cpuMs = cpu();
  if (lines !== 1) throw new Error(`${lines} lines came out of one`);
  return { cpuMs };
}

/** Each chunk has its own memory, as in Node's reads. */
function chunksOf(text: string): Uint8Array[] {
  const whole = Buffer.from(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += CHUNK)
    chunks.push(Uint8Array.from(whole.subarray(at, at + CHUNK)));
  return chunks;
}
