import { readFile } from "node:fs/promises";
import path from "node:path";
import { wireScript } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, realWorld, verifiesHere } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";

verifies(
  ["cli.account", "cli.exit-codes"],
  "a device code login on a terminal: shows the code, and Ctrl-C cancels it",
  async () => {
    const result = {
      type: "chatgptDeviceCode",
      loginId: "login-1",
      verificationUrl: "https://login.example/device",
      userCode: "ABCD-1234",
    };
    using server = wireScript({
      script: [
        { on: "account/login/start", result },
        { on: "account/login/cancel", result: { status: "canceled" } },
      ],
    });
    const env = { CODEX_PATH: server.executable };
    await using terminal = await Terminal.open(["login", "--device"], { cwd: import.meta.dirname, env });
    expect(await terminal.shows("ABCD-1234")).toContain("Open https://login.example/device on any device");
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
    expect(await terminal.text()).toContain("The login was cancelled.");
  },
  { ...PINNED, against: "fake" },
);

verifiesHere(
  "cli.account",
  "login with an API key on a terminal: asks for the key without showing it, and logs in to the real Codex",
  async () => {
    await using world = await realWorld([]);
    const { folder: cwd, env, server } = world;
    await using terminal = await Terminal.open(["login", "--api-key-stdin"], { cwd, env });
    await terminal.shows("OpenAI API key");
    await terminal.type("sk-not-to-be-seen");
    await terminal.key("Enter");
    expect(await terminal.exitCode()).toBe(0);
    const text = await terminal.text();
    expect(text).toContain("Logged in.");
    expect(text).not.toContain("sk-not-to-be-seen");
    const stored = await readFile(path.join(server.codexHome, "auth.json"), "utf8");
    expect(JSON.parse(stored)).toMatchObject({ OPENAI_API_KEY: "sk-not-to-be-seen" });
  },
  PINNED,
);
