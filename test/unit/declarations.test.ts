import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");
const COMPILER = path.join(ROOT, "node_modules/@typescript/native/bin/tsc");

/** Compiles the file in a folder that has `codexwright` installed. Returns the output of the compiler. */
async function compile(file: string): Promise<string> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "declarations-")));
  try {
    mkdirSync(path.join(folder, "node_modules"));
    symlinkSync(
      path.join(ROOT, "packages/codexwright"),
      path.join(folder, "node_modules/codexwright"),
      "junction",
    );
    copyFileSync(file, path.join(folder, "use.ts"));
    const compilerOptions = {
      target: "ES2023",
      module: "nodenext",
      lib: ["ES2023", "ESNext.Disposable"],
      types: ["node"],
      typeRoots: [path.join(ROOT, "node_modules/@types")],
      strict: true,
      declaration: true,
      emitDeclarationOnly: true,
      skipLibCheck: true,
      // Resolve the package like an installed one. Otherwise, the compiler names a type by its path in this repository.
      preserveSymlinks: true,
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const run = promisify(execFile)(process.execPath, [COMPILER, "-p", folder, "--pretty", "false"]);
    return await run.then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

verifies(
  "package.declarations",
  "compiles a program that exports results without annotations",
  async () => {
    expect(await compile(path.join(ROOT, "test/declarations/use.ts"))).toBe("");
  },
  { timeoutMs: 120_000 },
);
