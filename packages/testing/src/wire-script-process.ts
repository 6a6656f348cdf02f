/** The program behind a fake server's executable: plays the script in the file named by its first argument. */
import { closeSync, existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { LineDecoder } from "codexwright/rpc";
import { ScriptPlayer, type WireStep } from "./wire-script-steps.ts";

let stubborn = false;
/** Settles when the last text is on the pipe, which may be full. */
let written: Promise<unknown> = Promise.resolve();

/** Runs after everything that was written before. An empty write would not do: Bun calls back for it at once. */
function afterWrites(act: () => void): void {
  void written.then(act);
}

const player = new ScriptPlayer({
  write(text) {
    written = new Promise((resolve) => process.stdout.write(text, resolve));
  },
  async chunks(chunks) {
    // Waiting for each write keeps the chunks apart on the pipe.
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
    // Something must keep the process alive once its stdin has ended.
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

/** Closes the descriptor itself, for ending the stream may leave it open, and the copies a runtime made of it. */
function closeOutput(): void {
  const own = "/proc/self/fd";
  if (!existsSync(own)) return closeSync(1);
  const pipe = readlinkSync(`${own}/1`);
  for (const fd of readdirSync(own)) {
    // The one that listed the folder is gone by now.
    if (existsSync(`${own}/${fd}`) && readlinkSync(`${own}/${fd}`) === pipe) closeSync(Number(fd));
  }
}
