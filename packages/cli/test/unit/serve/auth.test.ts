import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { chooseAuth } from "../../../src/serve/auth.ts";
import type { CommandError } from "../../../src/shared/command-error.ts";

const LOOPBACK = "ws://127.0.0.1:0";

verifies(
  "cli.serve.auth",
  "generates and shows a token only on a terminal, and never if other machines can connect",
  async () => {
    const { auth, token } = await chooseAuth({}, LOOPBACK, true);
    expect(auth).toEqual({ capabilityToken: { token } });
    expect(token?.length).toBeGreaterThan(40);
    const refusals = [
      chooseAuth({}, LOOPBACK, false),
      chooseAuth({}, "ws://0.0.0.0:1", true),
      chooseAuth({}, "ws://127.0.0.1.example.com:1", true),
      chooseAuth({}, "stdio://", true),
      chooseAuth({ tokenFile: "a", tokenSha256: "b" }, LOOPBACK, true),
      chooseAuth({ jwtIssuer: "i" }, LOOPBACK, true),
      chooseAuth({ tokenSha256: "b" }, "unix:///s", true),
    ];
    for (const refusal of refusals) expect(((await rejection(refusal)) as CommandError).exitCode).toBe(2);
  },
);

verifies(
  "cli.serve.auth",
  "creates a token file that only its owner can read, keeps it, and checks its mode",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "codexwright-"));
    try {
      const tokenFile = path.join(folder, "token");
      const made = await chooseAuth({ tokenFile }, "ws://0.0.0.0:1", false);
      const token = await readFile(tokenFile, "utf8");
      expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
      expect(JSON.stringify(made)).not.toContain(token.trim());
      expect(await chooseAuth({ tokenFile }, LOOPBACK, false)).toEqual({
        auth: { capabilityToken: { file: tokenFile } },
      });
      await writeFile(tokenFile, token);
      await chmod(tokenFile, 0o644);
      expect((await chooseAuth({ tokenFile }, LOOPBACK, false)).remark).toContain("chmod 600");
      expect(await chooseAuth({}, "unix:///s", false)).toEqual({});
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
