import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { stdio } from "codexwright/stdio";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

/** Returns the arguments that the server is started with. */
async function argumentsFor(config: Record<string, unknown>): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-flags-"));
  try {
    const codexPath = path.join(folder, "codex");
    writeFileSync(codexPath, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const transport = await stdio({ codexPath, config })(new AbortController().signal);
    const lines: string[] = [];
    await new Promise<void>((resolve) => {
      transport.open({ line: (line) => lines.push(line), closed: () => resolve() });
    });
    await transport.close();
    return lines;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

verifies("stdio.config", "converts overrides to -c flags in TOML, nested ones with dotted keys", async () => {
  const config = {
    model: 'a "quoted" name',
    "features.x": true,
    n: 3,
    list: ["a", { b: 1 }],
    mcp_servers: { docs: { command: "run", env: {} } },
    unset: undefined,
  };
  expect(await argumentsFor(config)).toEqual([
    "app-server",
    "-c",
    'model="a \\"quoted\\" name"',
    "-c",
    "features.x=true",
    "-c",
    "n=3",
    "-c",
    'list=["a", {"b" = 1}]',
    "-c",
    'mcp_servers.docs.command="run"',
    "-c",
    "mcp_servers.docs.env={}",
  ]);
});

verifies("stdio.config", "rejects a value that TOML cannot represent, with its name", async () => {
  for (const value of [null, 1n, Number.NaN, () => {}]) {
    const error = await rejection(argumentsFor({ a: { b: value } }));
    expect(error).toMatchObject({ code: "invalid_argument" });
    expect(String(error)).toContain("config.a.b");
  }
});
