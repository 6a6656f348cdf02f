import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "vitest";
import { realAppServer, type RealAppServer } from "@codexwright/testing";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { runCommand } from "../support/json-command.ts";
import type { Line } from "../support/json-lines.ts";
import { verifiesHere } from "../support/real-world.ts";

const PINNED = { against: "pinned" } as const;

/** A user's home with its own provider, which is never called. */
async function home(): Promise<RealAppServer> {
  return await realAppServer({ model: { baseUrl: "http://127.0.0.1:9" } });
}

async function doctor(
  { clientOptions }: RealAppServer,
  ...flags: readonly string[]
): Promise<{ code: number | null; checks: ReadonlyMap<unknown, Line> }> {
  const { cwd, env, codexHome } = clientOptions;
  const { code, lines } = await runCommand(["doctor", "--json", ...flags], {
    cwd,
    env: { ...env, CODEX_HOME: codexHome },
  });
  expect(lines.at(-1)).toMatchObject({ type: "doctor", exitCode: code });
  return { code, checks: new Map(lines.map((line) => [line["name"], line])) };
}

verifies(
  "cli.doctor.good",
  "passes on a good set-up after a real turn, and leaves the home unchanged",
  async () => {
    await using world = await home();
    const config = await readFile(path.join(world.codexHome, "config.toml"), "utf8");
    const { code, checks } = await doctor(world, "--listen", "ws://127.0.0.1:0");
    expect([...checks.values()].filter(({ status }) => status === "fail")).toEqual([]);
    expect(code).toBe(0);
    expect(checks.get("version")?.["message"]).toContain("0.166.0: known exactly");
    expect(checks.get("round trip")?.["status"]).toBe("ok");
    expect(checks.get("listen")?.["status"]).toBe("ok");
    expect(await readdir(world.codexHome)).toEqual(["config.toml"]);
    expect(await readFile(path.join(world.codexHome, "config.toml"), "utf8")).toBe(config);
  },
  PINNED,
);

verifies(
  "cli.doctor.engine",
  "reports whether our own sandbox is ready, and what is missing",
  async () => {
    await using world = await home();
    const { checks } = await doctor(world);
    expect(checks.get("engine")).toMatchObject({ status: "ok", advice: [] });
  },
  { ...PINNED, skip: unlessLinux },
);

verifies(
  "cli.doctor.advice",
  "fails with advice if the binary or the login is missing, config.toml is broken or the port is in use",
  async () => {
    await using world = await home();
    const config = path.join(world.codexHome, "config.toml");
    const adviceOf = (line: Line | undefined): string => String(line?.["advice"]);

    const missing = await doctor(world, "--codex-path", "/nowhere/codex");
    expect(missing.code).toBe(3);
    expect(adviceOf(missing.checks.get("binary"))).toContain("npm install -g @openai/codex");
    expect(missing.checks.get("round trip")?.["status"]).toBe("skipped");

    const port = createServer().listen(0, "127.0.0.1");
    await once(port, "listening");
    const { port: number } = port.address() as AddressInfo;
    const taken = await doctor(world, "--listen", `ws://127.0.0.1:${number}`);
    port.close();
    expect(taken.code).toBe(1);
    expect(adviceOf(taken.checks.get("listen"))).toContain("another port");

    await writeFile(config, "model = = 3\n");
    const broken = await doctor(world);
    expect(broken.code).toBe(1);
    expect(broken.checks.get("config")?.["message"]).toContain(`${config}:1:9`);
    expect(adviceOf(broken.checks.get("config"))).toContain("Fix it");

    await writeFile(config, "");
    const unknown = await doctor(world);
    expect(unknown.code).toBe(4);
    expect(adviceOf(unknown.checks.get("login"))).toContain("codexwright login");
  },
  { ...PINNED, timeoutMs: 120_000 },
);

verifiesHere(
  "cli.doctor.advice",
  "checks a project's own config.toml, and reports a profile that Codex no longer supports",
  async () => {
    await using world = await home();
    const { workspace, codexHome } = world;
    const config = path.join(codexHome, "config.toml");
    const provider = await readFile(config, "utf8");
    const file = path.join(await realpath(workspace), ".codex", "config.toml");
    await mkdir(path.dirname(file));
    // A separate project, even if the temporary folder is inside a repository.
    execFileSync("git", ["init", "--quiet", workspace]);
    await writeFile(file, 'model = "other"\n');
    const found = async (): Promise<{ code: number | null; line: Line | undefined }> => {
      const { code, checks } = await doctor(world);
      return { code, line: checks.get("config") };
    };

    const distrusted = await found();
    expect(distrusted).toMatchObject({ code: 0, line: { status: "warn" } });
    expect(String(distrusted.line?.["advice"])).toContain('trust_level = "trusted"');

    await writeFile(file, 'approval_policy = "sometimes"\n');
    const unread = await found();
    expect(unread).toMatchObject({ code: 0, line: { status: "warn" } });
    expect(String(unread.line?.["message"])).toContain(`${file} is broken`);

    const trust = `[projects.${JSON.stringify(path.dirname(path.dirname(file)))}]\ntrust_level = "trusted"\n`;
    await writeFile(config, `${provider}\n${trust}`);
    const broken = await found();
    expect(broken).toMatchObject({ code: 1, line: { status: "fail" } });
    expect(String(broken.line?.["message"])).toContain(`${file}:1:19`);
    expect(String(broken.line?.["advice"])).toContain("starts no thread");

    await writeFile(file, 'model = "other"\n');
    expect(await found()).toMatchObject({ code: 0, line: { status: "ok" } });

    await writeFile(config, `profile = "work"\n${provider}\n${trust}`);
    const profile = await found();
    expect(profile).toMatchObject({ code: 1, line: { status: "fail" } });
    expect(String(profile.line?.["message"])).toMatch(/config\.toml is broken: legacy `profile = "work"`/);
    expect(await readdir(codexHome)).toEqual(["config.toml"]);
    expect(await readdir(path.dirname(file))).toEqual(["config.toml"]);
  },
  { ...PINNED, timeoutMs: 120_000 },
);
