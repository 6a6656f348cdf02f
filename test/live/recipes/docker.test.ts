import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { realAppServer } from "@codexwright/testing";
import { onWindows, type Skip } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { CodexClient } from "codexwright";
import { findCodex } from "codexwright/stdio";
import { expect } from "vitest";
import { PINNED_CODEX } from "../../../scripts/codex-versions.ts";
import { expectAsShown } from "./offline.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

const CONFINED = [
  "setpriv",
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
  "--no-new-privs",
  "--bounding-set=-all",
];
const WITHOUT_NAMESPACES = [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"',
  "sh",
];

/**
 * Skips a test unless the machine has Linux, the program and the rights that the test needs. Another user must also be
 * able to read the files.
 */
function unlessRuns([program = "", ...args]: readonly string[]): Skip {
  const reach = ["ls", "-d", `${tmpdir()}/.`, `${ROOT}/package.json`];
  return spawnSync(program, [...args, ...reach]).status !== 0 && `${program} cannot do this here`;
}

verifies(
  "docs.recipes",
  "docker: the steps of the Dockerfile work as an ordinary user, and the app ends on SIGTERM",
  async () => {
    await expectAsShown("docker");
  },
  { ...PINNED, skip: onWindows },
);

verifies("docs.recipes", "docker: the files that the image copies exist, and the page shows them", () => {
  const dockerfile = read("examples/recipes/docker/Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY (.*) \.\/$/gm)].flatMap(([, files = ""]) => files.split(" "));
  expect(copied).toEqual(["package.json", "server.mjs"]);
  for (const file of copied) expect(existsSync(path.join(ROOT, "examples/recipes/docker", file))).toBe(true);
  const page = read("docs/recipes/docker.md");
  expect(page).toContain(`\`\`\`dockerfile\n${dockerfile}\`\`\``);
  expect(page).toContain(`\`\`\`yaml\n${read("examples/recipes/docker/compose.yaml")}\`\`\``);
  const { dependencies } = JSON.parse(read("examples/recipes/docker/package.json")) as {
    dependencies: Record<string, string>;
  };
  const { version } = JSON.parse(read("packages/codexwright/package.json")) as { version: string };
  expect(dependencies).toEqual({ "@openai/codex": PINNED_CODEX, codexwright: version });
});

/** Runs a sandboxed and an unsandboxed command. A wrapper starts Codex with fewer rights. */
async function underPolicies(wrapper: readonly string[]) {
  await using server = await realAppServer({ model: { baseUrl: "http://127.0.0.1:9" } });
  const codexPath = path.join(server.root, "codex");
  const quoted = [...wrapper, findCodex().command].map((word) => `'${word}'`).join(" ");
  writeFileSync(codexPath, `#!/bin/sh\nexec ${quoted} "$@"\n`);
  chmodSync(codexPath, 0o755);
  // The wrapper may run Codex as another user.
  execFileSync("chmod", ["-R", "a+rwX", server.root]);
  await using codex = await CodexClient.connect({ ...server.clientOptions, codexPath });
  const run = async (type: "workspaceWrite" | "dangerFullAccess") => {
    const { exitCode, stderr } = await codex.exec(["true"], { sandboxPolicy: { type } }).result;
    return { exitCode, stderr };
  };
  return { sandboxed: await run("workspaceWrite"), bare: await run("dangerFullAccess") };
}

verifies(
  "docs.recipes",
  "docker: the sandbox works for an ordinary user, without capabilities and without new privileges",
  async () => {
    const { sandboxed } = await underPolicies(CONFINED);
    expect(sandboxed).toEqual({ exitCode: 0, stderr: "" });
  },
  { ...PINNED, skip: unlessRuns(CONFINED) },
);

verifies(
  "docs.recipes",
  "docker: without user namespaces the sandbox fails closed, and danger-full-access works",
  async () => {
    const { sandboxed, bare } = await underPolicies(WITHOUT_NAMESPACES);
    expect(sandboxed.exitCode).not.toBe(0);
    expect(sandboxed.stderr).toContain("bwrap: Creating new namespace failed");
    expect(bare.exitCode).toBe(0);
  },
  { ...PINNED, skip: unlessRuns(WITHOUT_NAMESPACES) },
);
