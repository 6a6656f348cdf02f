import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { findCodex, stdio } from "codexwright/stdio";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

const triple = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-${process.platform === "darwin" ? "apple-darwin" : "unknown-linux-musl"}`;
const platformPackage = `@openai/codex-${process.platform}-${process.arch}`;

/** A folder with programs that print their names and exit. */
class World implements Disposable {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), "codexwright-find-")));

  /** A program that prints its own name, the first argument and PATH as a JSON line. */
  program(file: string): string {
    return this.file(file, `#!/bin/sh\nprintf '{"method":"%s","params":"%s"}\\n' "${file}" "$PATH"\n`, 0o755);
  }

  file(file: string, text: string, mode = 0o644): string {
    const full = path.join(this.root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
    chmodSync(full, mode);
    return full;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}

/** Returns the program that a transport with these options starts, and its PATH. */
async function started(options: Parameters<typeof stdio>[0]): Promise<{ program: string; path: string }> {
  const transport = await stdio(options)(new AbortController().signal);
  const line = await new Promise<string>((resolve, reject) => {
    transport.open({ line: resolve, closed: (reason) => reject(new Error(reason.message)) });
  });
  await transport.close();
  const { method, params } = JSON.parse(line) as { method: string; params: string };
  return { program: method, path: params };
}

verifies(
  "stdio.find",
  "looks first at codexPath, then at CODEX_PATH, then at PATH, then for an installed package",
  async () => {
    using world = new World();
    const option = world.program("option/codex");
    const variable = world.program("variable/codex");
    world.program("onpath/codex");
    world.file("node_modules/@openai/codex/package.json", "{}");
    world.program(`node_modules/@openai/codex/vendor/${triple}/codex/codex`);
    const PATH = `${world.root}/missing:${world.root}/onpath:/bin:/usr/bin`;
    const cwd = world.root;
    const env = { PATH, CODEX_PATH: variable };
    expect((await started({ codexPath: option, cwd, env })).program).toBe("option/codex");
    expect((await started({ cwd, env })).program).toBe("variable/codex");
    expect((await started({ cwd, env: { ...env, CODEX_PATH: undefined } })).program).toBe("onpath/codex");
    const none = { PATH: "/bin:/usr/bin" };
    expect(findCodex({ env: none, from: [world.root] }).command).toBe(
      path.join(world.root, `node_modules/@openai/codex/vendor/${triple}/codex/codex`),
    );
  },
);

verifies(
  "stdio.find",
  "replaces the launcher of the npm package by the native binary of its platform package",
  async () => {
    using world = new World();
    world.file("node_modules/@openai/codex/package.json", "{}");
    world.program("node_modules/@openai/codex/bin/codex.js");
    world.file(`node_modules/${platformPackage}/package.json`, "{}");
    const native = `node_modules/${platformPackage}/vendor/${triple}/bin/codex`;
    world.program(native);
    world.file(`node_modules/${platformPackage}/vendor/${triple}/codex-path/rg`, "", 0o755);
    mkdirSync(path.join(world.root, "node_modules/.bin"));
    symlinkSync("../@openai/codex/bin/codex.js", path.join(world.root, "node_modules/.bin/codex"));
    const env = { PATH: `${world.root}/node_modules/.bin:/bin:/usr/bin`, CODEX_PATH: undefined };
    const found = await started({ cwd: world.root, env });
    expect(found.program).toBe(native);
    expect(found.path.split(":")[0]).toBe(path.join(world.root, path.dirname(native), "../codex-path"));
  },
);

verifies("stdio.find", "starts a launcher without its platform package unchanged", async () => {
  using world = new World();
  world.file("node_modules/@openai/codex/package.json", "{}");
  const launcher = world.program("node_modules/@openai/codex/bin/codex.js");
  const found = await started({ cwd: world.root, codexPath: launcher });
  expect(found.program).toBe("node_modules/@openai/codex/bin/codex.js");
});

verifies("stdio.not-found", "if a path is not a program, the error names its option", async () => {
  using world = new World();
  const file = world.file("codex", "not executable");
  for (const codexPath of [file, world.root, path.join(world.root, "missing")]) {
    const error = await rejection(Promise.resolve(stdio({ codexPath })(new AbortController().signal)));
    expect(error).toMatchObject({ code: "codex_not_found", looked: [codexPath] });
    expect(String(error)).toContain(`codexPath is ${codexPath}`);
    expect(String(error)).toContain("npm install @openai/codex");
  }
  const env = { CODEX_PATH: file };
  const error = await rejection(Promise.resolve(stdio({ env })(new AbortController().signal)));
  expect(String(error)).toContain(`CODEX_PATH is ${file}`);
});

verifies(
  "stdio.not-found",
  "rejects a file that the system cannot run with codex_not_found and the system's reason",
  async () => {
    using world = new World();
    const codexPath = world.file("codex", "#!/no/such/interpreter\n", 0o755);
    const error = await rejection(Promise.resolve(stdio({ codexPath })(new AbortController().signal)));
    expect(error).toMatchObject({ code: "codex_not_found", cause: { code: "ENOENT" } });
  },
);

verifies(
  "client.options",
  "rejects a cwd or codexHome that is not a folder before anything starts",
  async () => {
    using world = new World();
    const file = world.program("codex");
    const missing = path.join(world.root, "missing");
    for (const options of [{ cwd: missing }, { codexHome: missing }, { cwd: file }]) {
      const error = await rejection(
        Promise.resolve(stdio({ codexPath: file, ...options })(new AbortController().signal)),
      );
      expect(error).toMatchObject({ code: "invalid_argument" });
      expect(String(error)).toContain(Object.values(options)[0]);
    }
  },
);
