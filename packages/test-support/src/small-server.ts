import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const SERVER = path.resolve(import.meta.dirname, "../../codexwright/dist/lib/server.js");

const PROGRAMS = {
  /** An echo server on our listener. */
  ours: (url: string, options: object) => `
    const { listen } = await import(${JSON.stringify(SERVER)});
    const accept = (transport) =>
      transport.open({ line: (text) => transport.send(text).catch(() => {}), closed() {} });
    const listener = await listen({ accept }, ${JSON.stringify(url)}, ${JSON.stringify(options)});
    console.log(listener.url);`,
  /** An HTTP server that does not limit its sockets. */
  bare: () => `
    const { createServer } = await import("node:http");
    const server = createServer((request, response) => response.end("here"));
    server.on("error", () => {});
    server.listen(0, "127.0.0.1", () => console.log("ws://127.0.0.1:" + server.address().port));`,
};

/** Starts a server in a process that may have a low limit of descriptors. */
export async function smallServer(
  kind: keyof typeof PROGRAMS,
  {
    descriptors,
    url = "ws://127.0.0.1:0",
    options = {},
  }: { readonly descriptors: number; readonly url?: string; readonly options?: object },
) {
  const program = PROGRAMS[kind](url, options);
  const script = `ulimit -n ${descriptors}; exec "$0" "$@"`;
  const node = "Bun" in globalThis ? ["-e", program] : ["--input-type=module", "-e", program];
  const child = spawn("sh", ["-c", script, process.execPath, ...node], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const ended = exited.then(() => Promise.reject(new Error("the server did not start")));
  const [told] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
  ended.catch(() => {});
  return {
    url: told,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
