import fc from "fast-check";
import { expect } from "vitest";
import { ConfigError } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { makeHome, TRUST } from "./home.ts";

verifies(
  "security.s59",
  "any file and any override end in settings or a typed error without values",
  async () => {
    const value = fc.constantFrom(
      '"s3cr3t"',
      "'''s3cr3t'''",
      "5",
      "-1e400",
      "true",
      "[]",
      '["s3cr3t", ["s3cr3t"]]',
      '{ s3cr3t = "s3cr3t" }',
      "1979-05-27T07:32:00Z",
      '"s3cr3t',
      `${"[".repeat(300)}${"]".repeat(300)}`,
    );
    const key = fc.constantFrom(
      "model",
      "model_provider",
      "model_providers.p.base_url",
      "model_providers.p",
      '"__proto__".x',
      "constructor.prototype",
      "sandbox_workspace_write.writable_roots",
      "sandbox_mode",
      "features.unbounded_connection_retries",
      "projects",
      'projects."ROOT/project"',
      "project_root_markers",
      '"\\u006Dodel"',
      "profile",
      "model_context_window",
    );
    const line = fc.oneof(
      fc.tuple(key, value).map(([name, text]) => `${name} = ${text}`),
      key.map((name) => `[${name}]`),
      key.map((name) => `[[${name}]]`),
      fc.string({ maxLength: 30 }),
    );
    const file = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
    const override = fc
      .tuple(fc.oneof(key, fc.string({ maxLength: 12 })), value)
      .map((pair) => pair.join("="));
    const login = fc.oneof(fc.constant("{}"), fc.constant('{"OPENAI_API_KEY":["s3cr3t"]}'), fc.json(), file);
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        file,
        file,
        fc.array(override, { maxLength: 2 }),
        fc.boolean(),
        login,
        async (user, project, overrides, isTrusted, auth) => {
          await using world = await makeHome({
            "home/config.toml": isTrusted ? TRUST : user,
            "home/auth.json": auth,
            "project/.codex/config.toml": project,
          });
          try {
            const { provider } = await world.load({ overrides });
            read++;
            // Whatever a project writes, a configuration that names no provider leads to OpenAI.
            if (isTrusted && overrides.length === 0)
              expect(provider.baseUrl).toBe("https://api.openai.com/v1");
          } catch (error) {
            if (!(error instanceof ConfigError)) throw error;
            expect(`${error.message} ${String(error.stack)} ${String(error.cause)}`).not.toContain("s3cr3t");
          }
          expect(Object.keys(Object.prototype)).toEqual([]);
          expect(({} as { x?: unknown }).x).toBeUndefined();
        },
      ),
      { seed: 59, numRuns: 250 },
    );
    expect(read).toBeGreaterThan(20);
  },
);
