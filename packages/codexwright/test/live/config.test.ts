import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

verifies(
  ["config.write", "config.conflict"],
  "reads values with their layers, writes them, and does not overwrite the changes of others",
  async () => {
    await using live = await world([]);
    const { config } = live.codex;
    const file = path.join(live.server.codexHome, "config.toml");
    const before = await config.read({ includeLayers: true });
    expect(before.config.model).toBe("mock-model");
    expect((await config.read()).layers ?? null).toBeNull();
    const user = before.layers?.find(({ name }) => name.type === "user");

    const written = await config.write("model", "another", { expectedVersion: user?.version ?? "none" });
    expect(written).toMatchObject({ status: "ok", filePath: file });
    const conflict = await rejection(
      config.write("model", "third", { expectedVersion: user?.version ?? "" }),
    );
    expect(conflict).toMatchObject({
      code: "config_conflict",
      data: { config_write_error_code: "configVersionConflict" },
    });
    const { version } = await config.batchWrite(
      [
        { keyPath: "model_reasoning_effort", value: "low" },
        { keyPath: "features.plugins", value: false, mergeStrategy: "upsert" },
      ],
      { expectedVersion: written.version },
    );
    expect(version).not.toBe(written.version);
    expect((await config.read()).config).toMatchObject({ model: "another", model_reasoning_effort: "low" });
    await config.write("model_reasoning_effort", null);
    expect(readFileSync(file, "utf8")).not.toContain("model_reasoning_effort");

    const invalid = await rejection(config.write("model", { not: "a string" }));
    expect(invalid).toMatchObject({
      code: "rpc",
      data: { config_write_error_code: "configValidationError" },
    });
    const stale = await rejection(
      config.batchWrite([{ keyPath: "model", value: "fourth" }], { expectedVersion: version }),
    );
    expect(stale).toMatchObject({ code: "config_conflict" });
    expect(readFileSync(file, "utf8")).toContain('model = "another"');
    expect(await config.requirements()).toBeNull();
  },
  PINNED,
);

verifies(
  ["secrets.errors", "config.write"],
  "an error does not quote a secret value that the server could not parse, although the server's own message does",
  async () => {
    await using live = await world([]);
    const { config } = live.codex;
    const secret = "a-secret-of-the-users";
    const server = { url: "http://127.0.0.1:9/mcp", http_headers: secret };
    const errors = [
      await rejection(config.write("mcp_servers.docs", server)),
      await rejection(config.write("mcp_servers.docs", { command: "docs", env: secret })),
      await rejection(config.batchWrite([{ keyPath: "mcp_servers.docs", value: server }])),
    ];
    expect(String(errors[0])).toContain('invalid type: string "[redacted]"');
    expect(inspect(errors, { depth: 10, showHidden: true })).not.toContain(secret);
    expect(String(await rejection(config.write("approval_policy", "sometimes")))).toContain("`sometimes`");
  },
  PINNED,
);

verifies(
  "config.write",
  "lists the skills of a folder, with the problems of the broken ones",
  async () => {
    await using live = await world([]);
    const { workspace } = live.server;
    const skills = path.join(workspace, ".codex", "skills");
    for (const [name, text] of [
      ["painter", "---\nname: painter\ndescription: paints\n---\nPaint well.\n"],
      ["broken", "no front matter\n"],
    ] as const) {
      mkdirSync(path.join(skills, name), { recursive: true });
      writeFileSync(path.join(skills, name, "SKILL.md"), text);
    }
    const [entry] = await live.codex.skills({ cwds: [workspace], forceReload: true });
    expect(entry?.cwd).toBe(workspace);
    expect(entry?.skills).toContainEqual(
      expect.objectContaining({ name: "painter", description: "paints", enabled: true }),
    );
    expect(entry?.errors.map(({ path: file }) => file)).toContainEqual(expect.stringContaining("broken"));
  },
  PINNED,
);
