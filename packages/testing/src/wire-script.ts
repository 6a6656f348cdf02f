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
  /** False where the script plays the handshake itself. */
  readonly handshake?: boolean;
  /** The Codex version it says it is; default "0.166.0". */
  readonly version?: string;
}

const OPTIONS: Table<WireScriptOptions> = {
  script: needed(is.listOf(is.object)),
  handshake: is.flag,
  version: is.text,
};

/**
 * A server that plays a script, for what a real one cannot be made to do: give `transport` to a client, or
 * `executable` as its `codexPath`. Every connection plays the script from its start. Once the script has
 * ended, the server stays silent until the client goes.
 */
export function wireScript(options: WireScriptOptions): WireScript {
  checkOptions("wireScript()", options, OPTIONS);
  const { script, handshake = true, version = "0.166.0" } = options;
  return new WireScript(handshake ? [...handshakeSteps(version), ...script] : script);
}

export class WireScript implements Disposable {
  /** What clients in memory have sent, in order. */
  readonly received: WireMessage[] = [];
  readonly transport: TransportFactory = () => this.#connect();
  readonly #script: readonly WireStep[];
  #folder: string | undefined;
  #failure: Error | undefined;

  constructor(script: readonly WireStep[]) {
    this.#script = script;
  }

  /** A program that plays the script on its stdin and stdout; it is removed when the fake is disposed. */
  get executable(): string {
    this.#folder ??= limitedSync("writing a program", () => this.#writeProgram());
    return path.join(this.#folder, "codex");
  }

  /** Removes the executable; throws what went wrong with the script itself. */
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
      chunks: () => Promise.reject(new Error("a server in memory has no bytes: use its executable")),
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
      this.#failure = new Error("the fake's script cannot be played", { cause });
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
      // Without descriptors a folder cannot be listed, but what was not written need not be.
      rmSync(path.join(folder, "script.json"), { force: true });
      rmdirSync(folder);
      throw error;
    }
  }
}
