import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codexFor } from "../install-cached.ts";
import { readSurface } from "./read-surface.ts";
import { readSchemas, type Schemas } from "./sender-optional.ts";
import type { Surface } from "./type-node.ts";

/** The stable and the experimental surface of one binary. */
export interface Surfaces {
  readonly stable: Surface;
  readonly experimental: Surface;
}

/** The Codex that the workspace pins: its version and its native binary. */
export async function pinnedCodex(): Promise<{ version: string; binary: string }> {
  const manifest = createRequire(import.meta.url).resolve("@openai/codex/package.json");
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  return { version, binary: codexFor(import.meta.dirname) };
}

/** Runs a binary to generate the JSON schemas of its experimental surface, and reads them. */
export async function generateSchemas(binary: string): Promise<Schemas> {
  return withFolder(async (folder, home) => {
    await run(binary, ["app-server", "generate-json-schema", "--out", folder, "--experimental"], home);
    return readSchemas(await readFile(join(folder, "codex_app_server_protocol.schemas.json"), "utf8"));
  });
}

/** Runs a binary to generate its types twice, without and with the experimental ones, and reads them. */
export async function generateSurfaces(binary: string): Promise<Surfaces> {
  return withFolder(async (folder, home) => {
    const stable = join(folder, "stable");
    const experimental = join(folder, "experimental");
    await run(binary, ["app-server", "generate-ts", "--out", stable], home);
    await run(binary, ["app-server", "generate-ts", "--out", experimental, "--experimental"], home);
    return { stable: await readSurface(stable), experimental: await readSurface(experimental) };
  });
}

async function withFolder<T>(use: (folder: string, home: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "codexwright-protocol-"));
  try {
    const home = join(folder, "home");
    await mkdir(home);
    return await use(folder, home);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(binary: string, args: readonly string[], home: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, {
      env: { ...process.env, CODEX_HOME: home },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`codex ${args.join(" ")} ended with ${code}: ${stderr}`));
    });
  });
}
