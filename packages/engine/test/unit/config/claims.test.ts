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

verifies(
  ["security.s59", "security.s88"],
  "settings of a client with any number and depth of keys end in settings or a typed error",
  async () => {
    await using home = await makeHome({});
    const keys = (count: number, make: (n: number) => string): Record<string, unknown> =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [make(n), n]));
    const load = async (request: Record<string, unknown>): Promise<unknown> =>
      await home.load({ request }).then(
        ({ config }) => config.model,
        (error: unknown) => (error instanceof ConfigError ? error.message : error),
      );
    const model = await load({});
    for (const make of [
      (n: number) => `k${n}`,
      (n: number) => `a.b${n}.c`,
      (n: number) => `a${n % 7}.${n}`,
    ]) {
      expect(await load(keys(1_000, make))).toBe(model);
      // Each key is merged into all others, so so many would take minutes.
      expect(await load(keys(20_000, make))).toBe("config: must have at most 1000 keys");
    }
    expect(await load({ ["a.".repeat(50) + "b"]: 1 })).toBe(model);
    for (const parts of [64, 1_000, 1_000_000]) {
      expect(await load({ ["a.".repeat(parts) + "b"]: 1 })).toBe("config: keys must have at most 64 parts");
    }
    expect(await load({ a: keys(20_000, (n) => `k${n}`) })).toBe(model);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    await load({ "__proto__.polluted": 1, "constructor.prototype.polluted": 1 });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  },
);
