import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "vitest";
import { realAppServer, type RealAppServer } from "codexwright/testing";
import { verifies } from "../../../../test/support/verifies.ts";
import { runCommand } from "../support/json-command.ts";
import type { Line } from "../support/json-lines.ts";

const PINNED = { against: "codex 0.166.0" } as const;

/** A user's home, with a provider of its own that nobody asks. */
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
  "a good set-up passes, with a real turn, and the home is as it was",
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
  "cli.doctor.advice",
  "a missing binary, a broken config.toml, a missing login and a taken port each fail with what to do",
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
    expect(adviceOf(broken.checks.get("config"))).toContain("Correct it");

    await writeFile(config, "");
    const unknown = await doctor(world);
    expect(unknown.code).toBe(4);
    expect(adviceOf(unknown.checks.get("login"))).toContain("codexwright login");
  },
  { ...PINNED, timeoutMs: 120_000 },
);
