import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../server.js", import.meta.url));

/** Executables that start the bench's server, in a folder that is removed on dispose. */
export class ServerPrograms implements Disposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "codexwright-bench-"));

  /** Creates a program to use as `codexPath`. The arguments select its stream. */
  make(...args: readonly (string | number)[]): string {
    return this.#script(args.join("-"), [process.execPath, SERVER, ...args]);
  }

  /**
   * Like `make`, but for a server that only sends. Its output is generated once, so that a hundred such servers can run
   * at a time.
   */
  record(...args: readonly (string | number)[]): string {
    const name = `${args.join("-")}-recorded`;
    const said = path.join(this.#folder, `${name}.txt`);
    const output = openSync(said, "w");
    try {
      const words = [SERVER, ...args].map(String);
      const { status } = spawnSync(process.execPath, words, { stdio: ["ignore", output, "inherit"] });
      if (status !== 0) throw new Error(`the server failed (${status})`);
    } finally {
      closeSync(output);
    }
    // A client that passes a prompt writes it before it reads.
    return this.#script(name, ["cat", said], "cat >/dev/null\n");
  }

  #script(name: string, command: readonly (string | number)[], first = ""): string {
    const file = path.join(this.#folder, name);
    const words = command.map((word) => `'${String(word).replaceAll("'", `'\\''`)}'`);
    writeFileSync(file, `#!/bin/sh\n${first}exec ${words.join(" ")}\n`, { mode: 0o755 });
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
