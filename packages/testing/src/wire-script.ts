import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { memoryPair } from "codexwright/rpc";
import type { WireMessage } from "codexwright/rpc";
import type { Transport, TransportFactory } from "codexwright/rpc";
import { limitedSync } from "codexwright/internal/node";
import { programIn } from "./program.ts";
import { handshakeSteps, ScriptPlayer, type WireStep } from "./wire-script-steps.ts";
import * as is from "codexwright/internal/options";
import { checkOptions, needed, type Table } from "codexwright/internal";

export interface WireScriptOptions {
  readonly script: readonly WireStep[];
  /** False if the script plays the handshake itself. */
  readonly handshake?: boolean;
  /** The Codex version that it reports; default "0.166.0". */
  readonly version?: string;
}

const OPTIONS: Table<WireScriptOptions> = {
  script: needed(is.listOf(is.object)),
  handshake: is.flag,
  version: is.text,
};

/**
 * Creates a server that plays a script, for behaviour that a real server cannot be made to show. Pass
 * `transport` to a client, or `executable` as its `codexPath`. Every connection plays the script from its
 * start. After the end of the script, the server stays silent until the client disconnects.
 */
export function wireScript(options: WireScriptOptions): WireScript {
  checkOptions("wireScript()", options, OPTIONS);
  const { script, handshake = true, version = "0.166.0" } = options;
  return new WireScript(handshake ? [...handshakeSteps(version), ...script] : script);
}

export class WireScript implements Disposable {
  /** The messages that clients in memory have sent, in order. */
  readonly received: WireMessage[] = [];
  readonly transport: TransportFactory = () => this.#connect();
  readonly #script: readonly WireStep[];
  #folder: string | undefined;
  #failure: Error | undefined;

  constructor(script: readonly WireStep[]) {
    this.#script = script;
  }

  /** A program that plays the script on its stdin and stdout. It is removed on disposal. */
  get executable(): string {
    this.#folder ??= limitedSync("writing a program", () => this.#writeProgram());
    return path.join(this.#folder, "codex");
  }

  /** Removes the executable. Throws if the script itself could not be played. */
  close(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    if (this.#failure) throw this.#failure;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #connect(): Transport {
    const [client, server] = memoryPair();
    const hangUp = (): void => void server.close();
    const player = new ScriptPlayer({
      write: (text) => {
        for (const line of text.split("\n")) if (line !== "") void server.send(line).catch(() => {});
      },
      chunks: () => Promise.reject(new Error("a server in memory cannot write bytes: use its executable")),
      stderr: () => {},
      closeOutput: hangUp,
      exit: hangUp,
      kill: hangUp,
      stubborn: () => {},
    });
    server.open({
      line: (text) => {
        player.receive(text);
        this.received.push(JSON.parse(text) as WireMessage);
      },
      closed: () => {},
    });
    player.play(this.#script).catch((cause: unknown) => {
      this.#failure = new Error("the wire script cannot be played", { cause });
      hangUp();
    });
    return client;
  }

  #writeProgram(): string {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-wire-"));
    try {
      const program = fileURLToPath(new URL("wire-script-process.js", import.meta.url));
      writeFileSync(path.join(folder, "script.json"), JSON.stringify(this.#script));
      const text = programIn(program, path.join(folder, "script.json"));
      writeFileSync(path.join(folder, "codex"), text, { mode: 0o755 });
      return folder;
    } catch (error) {
      // Without free file descriptors, the folder cannot be listed. So remove the file by its name; `force` ignores a
      // file that was not written.
      rmSync(path.join(folder, "script.json"), { force: true });
      rmdirSync(folder);
      throw error;
    }
  }
}
