import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { judgeConfig, judgeHome } from "../../../src/doctor/config.ts";
import { checkAddress, exitCodeOf, versionOf } from "../../../src/doctor/doctor.ts";
import { judgeEngine } from "../../../src/doctor/engine.ts";
import { judgeSandbox } from "../../../src/doctor/trial.ts";
import { judgeVersion, versionIn } from "../../../src/doctor/version.ts";
import { ok, type Check } from "../../../src/doctor/check.ts";

verifies(
  "cli.doctor.versions",
  "distinguishes versions that are too old, known, between known ones, or newer",
  () => {
    expect(judgeVersion("0.97.9").status).toBe("fail");
    expect(judgeVersion("0.98.0")).toMatchObject({ status: "ok" });
    expect(judgeVersion("0.166.0").message).toContain("known exactly");
    expect(judgeVersion("0.148.2").message).toContain("between");
    expect(judgeVersion("0.167.0-alpha.1").status).toBe("warn");
    expect(judgeVersion(undefined).status).toBe("warn");
    expect(versionIn("codex-cli 0.98.0\n")).toBe("0.98.0");
    expect(judgeVersion("0.100.0").status).toBe("ok");
  },
);

verifies(
  "cli.doctor.versions",
  "asks whether a binary is Codex if it does not report its version",
  async () => {
    expect(await versionOf(process.execPath)).toBe(process.versions.bun ?? process.versions.node);
    await expect(versionOf("/usr/bin/false")).rejects.toMatchObject({
      message: "it does not report its version: --version failed with 1",
      advice: ["Is this binary really Codex?"],
    });
  },
);

verifies("cli.doctor.advice", "names the user's file, not the copy, for a broken configuration", () => {
  const summary = "Invalid configuration; using defaults.";
  const broken = judgeConfig(
    { file: "/h/config.toml", copy: "/t/config.toml" },
    [{ summary, details: "/t/config.toml:1:9: no" }],
    undefined,
  );
  expect(broken).toMatchObject({
    status: "fail",
    message: "/h/config.toml is broken: /h/config.toml:1:9: no",
  });
  expect(broken.advice.join()).toContain("defaults");
  expect(judgeConfig({ file: "/h", copy: "/t" }, [], "Error: gone").advice.join()).toContain(
    "does not start",
  );
  expect(
    judgeConfig({ file: "/h", copy: "/t" }, [{ summary: "a typo in /t", details: null }], undefined),
  ).toMatchObject({
    status: "warn",
    message: "a typo in /h",
  });
  const sandbox = { summary: "Codex could not find bubblewrap on PATH.", details: null };
  expect(judgeConfig({ file: "/h", copy: "/t" }, [sandbox], undefined).status).toBe("ok");
});

verifies(
  "cli.doctor.advice",
  "reports a home that Codex cannot start in, but not one that Codex will create",
  async () => {
    const missing = `${import.meta.dirname}/missing`;
    expect(await judgeHome(missing, false)).toBeUndefined();
    expect(await judgeHome(missing, true)).toMatchObject({
      status: "fail",
      advice: [expect.stringContaining(`mkdir -p ${missing}`)],
    });
    const file = await judgeHome(import.meta.filename, true);
    expect(file).toMatchObject({ status: "fail", message: `${import.meta.filename} is not a folder` });
    expect(file?.advice.join()).not.toContain("mkdir");
    expect(await judgeHome(import.meta.dirname, true)).toBeUndefined();
  },
);

verifies("cli.doctor.advice", "names the project's configuration if that is the broken one", () => {
  const files = ["/p/.codex/config.toml"];
  const judge = (isTrusted: boolean, details?: string): ReturnType<typeof judgeConfig> =>
    judgeConfig(
      { file: "/h/config.toml", copy: "/t/config.toml", project: { root: "/p", files, isTrusted } },
      details === undefined ? [] : [{ summary: "Invalid configuration; using defaults.", details }],
      undefined,
    );
  const why = "Error parsing project config file /p/.codex/config.toml: no";
  expect(judge(true, why)).toMatchObject({
    status: "fail",
    message: `/p/.codex/config.toml is broken: ${why}`,
  });
  expect(judge(true, "/t/config.toml:1:9: no").message).toMatch(/^\/h\/config\.toml is broken/);
  expect(judge(false, why)).toMatchObject({ status: "warn" });
  expect(judge(false).message).toContain("/p is not a trusted project");
  expect(judge(true)).toMatchObject({
    status: "ok",
    message: "/h/config.toml and /p/.codex/config.toml are valid",
  });
});

verifies(
  "cli.doctor.advice",
  "fails with advice if no command runs in the sandbox, or if the sandbox has no effect",
  () => {
    expect(judgeSandbox({ exitCode: 1, stdout: "runs\n", stderr: "read-only" }).status).toBe("ok");
    const dead = judgeSandbox({ exitCode: 101, stdout: "", stderr: "thread panicked\nno namespaces" });
    expect(dead).toMatchObject({
      status: "fail",
      message: "a sandboxed command does not run: no namespaces",
    });
    expect(dead.advice.length).toBeGreaterThan(0);
    const old = "exec failed: codex-linux-sandbox was required but not provided";
    expect(judgeSandbox({ exitCode: -1, stdout: "", stderr: old }).status).toBe("warn");
    expect(judgeSandbox({ exitCode: 0, stdout: "runs\nwrites\n", stderr: "" }).status).toBe("fail");
  },
);

verifies(
  "cli.doctor.advice",
  "fails with advice if the address is in use, and passes if it is free",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const taken = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const finding = await checkAddress(taken);
    expect(finding.status).toBe("fail");
    expect(finding.advice.join()).toContain("another port");
    server.close();
    expect((await checkAddress("ws://127.0.0.1:0")).status).toBe("ok");
    expect((await checkAddress("http://127.0.0.1:0")).status).toBe("fail");
  },
);

verifies("cli.doctor.advice", "the exit code shows what is wrong", () => {
  const failing = (...names: Check["name"][]): Check[] => [
    { name: "sandbox", ...ok("fine") },
    ...names.map((name) => ({ name, status: "fail" as const, message: "", advice: [] })),
  ];
  expect(exitCodeOf(failing())).toBe(0);
  expect(exitCodeOf(failing("binary", "login"))).toBe(3);
  expect(exitCodeOf(failing("login"))).toBe(4);
  expect(exitCodeOf(failing("login", "config"))).toBe(1);
});

verifies("cli.doctor.engine", "warns and gives advice if our own sandbox is not ready", () => {
  expect(judgeEngine({ ready: true })).toMatchObject({ status: "ok", advice: [] });
  const why = "bubblewrap was not found. Install it: apt-get install bubblewrap (Debian).";
  const finding = judgeEngine({ ready: false, why });
  expect(finding).toMatchObject({
    status: "warn",
    message: "our own app-server cannot confine commands: bubblewrap was not found",
  });
  expect(finding.advice[0]).toBe("Install it: apt-get install bubblewrap (Debian).");
});
