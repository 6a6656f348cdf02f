import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { onBun } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";

const PACKAGES = path.resolve(import.meta.dirname, "../../../../..");

/** Runs a program with copies of the engine and the library, without other packages than the engine needs. */
async function alone(program: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "engine-alone-"));
  try {
    const modules = path.join(folder, "node_modules");
    await mkdir(path.join(modules, "@codexwright"), { recursive: true });
    for (const [name, place] of [
      ["codexwright", "codexwright"],
      ["engine", "@codexwright/engine"],
    ] as const) {
      for (const part of ["package.json", "dist"]) {
        await cp(path.join(PACKAGES, name, part), path.join(modules, place, part), { recursive: true });
      }
    }
    for (const name of ["smol-toml", "web-tree-sitter"]) {
      await symlink(path.join(PACKAGES, "../node_modules", name), path.join(modules, name));
    }
    return await new Promise((resolve) => {
      const args = ["--input-type=module", "-e", program];
      execFile(process.execPath, args, { cwd: folder, timeout: 30_000 }, (_error, stdout, stderr) =>
        resolve(stdout.trim() || stderr),
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

verifies(
  "engine.ai-sdk.missing",
  "names the package that is not installed",
  async () => {
    const program = `
      import { writeFileSync } from "node:fs";
      import { loadConfig, providerOf } from "@codexwright/engine/node";
      const said = [];
      for (const api of ["chat", "anthropic", "google"]) {
        writeFileSync("config.toml", 'model_provider = "p"\\n[model_providers.p]\\nbase_url = "http://127.0.0.1:9"\\ncodexwright_api = "' + api + '"\\n');
        const provider = providerOf(await loadConfig({ home: process.cwd(), env: {} }));
        const request = { model: "m", instructions: "", input: [], tools: [], ids: { thread: "t" } };
        try { for await (const event of provider.stream(request, new AbortController().signal)) said.push(event); }
        catch (error) { said.push([error.code, error.details.phase, error.cause.code, error.cause.dependency, error.message]); }
      }
      console.log(JSON.stringify(said));
    `;
    const told = (api: string, name: string): unknown => [
      "model_failed",
      "request",
      "missing_dependency",
      name,
      `a provider with codexwright_api = "${api}" needs the package ${name}: npm install ${name}`,
    ];
    expect(JSON.parse(await alone(program))).toEqual([
      told("chat", "@ai-sdk/openai-compatible"),
      told("anthropic", "@ai-sdk/anthropic"),
      told("google", "@ai-sdk/google"),
    ]);
  },
  { timeoutMs: 60_000, skip: onBun("Bun looks for packages on the network") },
);
