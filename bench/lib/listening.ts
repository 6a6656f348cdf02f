import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** The transports to a server. */
export const TRANSPORTS = ["stdio", "unix", "ws"] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** A server that listens on a socket, until it is disposed. */
export class Listening implements AsyncDisposable {
  readonly address: string;
  readonly #process: ChildProcess;

  private constructor(address: string, process: ChildProcess) {
    this.address = address;
    this.#process = process;
  }

  static async start(server: string, transport: "unix" | "ws"): Promise<Listening> {
    const env = { ...process.env, BENCH_LISTEN: transport };
    const child = spawn(server, [], { env, stdio: ["pipe", "pipe", "inherit"] });
    const [address] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    return new Listening(address.trim(), child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.stdin?.end();
    await gone;
  }
}
