import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Executables that start the bench's server, in a folder that goes when this is disposed. */
export class ServerPrograms implements Disposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "codexwright-bench-"));

  /** A program to be given as `codexPath`: it streams what the arguments say. */
  make(...args: readonly (string | number)[]): string {
    const server = fileURLToPath(new URL("../server.js", import.meta.url));
    const file = path.join(this.#folder, args.join("-"));
    const words = [process.execPath, server, ...args].map(
      (word) => `'${String(word).replaceAll("'", `'\\''`)}'`,
    );
    writeFileSync(file, `#!/bin/sh\nexec ${words.join(" ")}\n`, { mode: 0o755 });
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
