/** The program behind a wire script's executable: plays the script in the file named by its first argument. */
import { closeSync, existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { LineDecoder } from "codexwright/rpc";
import { ScriptPlayer, type WireStep } from "./wire-script-steps.ts";

let stubborn = false;
/** Settles when the last text is written to the pipe, which may be full. */
let written: Promise<unknown> = Promise.resolve();

/**
 * Runs after everything that was written before. An empty write is not enough: Bun calls back for it
 * immediately.
 */
function afterWrites(act: () => void): void {
  void written.then(act);
}

const player = new ScriptPlayer({
  write(text) {
    written = new Promise((resolve) => process.stdout.write(text, resolve));
  },
  async chunks(chunks) {
    // Waiting for each write keeps the chunks separate on the pipe.
    for (const chunk of chunks) {
      await new Promise((resolve) => process.stdout.write(Uint8Array.from(chunk), resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  stderr: (text) => void process.stderr.write(text),
  closeOutput: () => afterWrites(closeOutput),
  exit: (code) => afterWrites(() => process.exit(code)),
  kill: (signal) => afterWrites(() => void process.kill(process.pid, signal)),
  stubborn() {
    stubborn = true;
    process.on("SIGTERM", () => {});
    // Keeps the process alive after its stdin has ended.
    setInterval(() => {}, 1 << 30);
  },
});

const lines = new LineDecoder((line) => player.receive(line));
process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
process.stdin.on("end", () => {
  if (!stubborn) process.exit(0);
});

const [file = ""] = process.argv.slice(2);
await player.play(JSON.parse(readFileSync(file, "utf8")) as readonly WireStep[]);

/** Closes the descriptor itself and the runtime's copies of it, because ending the stream may leave them open. */
function closeOutput(): void {
  const own = "/proc/self/fd";
  if (!existsSync(own)) return closeSync(1);
  const pipe = readlinkSync(`${own}/1`);
  for (const fd of readdirSync(own)) {
    // The descriptor that listed the folder is already closed.
    if (existsSync(`${own}/${fd}`) && readlinkSync(`${own}/${fd}`) === pipe) closeSync(Number(fd));
  }
}
