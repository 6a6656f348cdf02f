import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { codexHomeOf, loginState, readLoginState } from "../../src/shared/login-state.ts";
import { verifies } from "@codexwright/test-support/verifies";

describe("auth.json", () => {
  for (const [title, auth] of [
    ["an API key", { OPENAI_API_KEY: "sk-test" }],
    [
      "tokens of a ChatGPT login",
      { OPENAI_API_KEY: null, tokens: { access_token: "a", refresh_token: "r" } },
    ],
    ["a personal access token", { OPENAI_API_KEY: null, personal_access_token: "at-1" }],
  ] as const) {
    verifies("demo.login", `with ${title} counts as a login`, () => {
      expect(loginState({ authJson: JSON.stringify(auth) })).toBe("ready");
    });
  }

  for (const [title, authJson] of [
    ["absent", undefined],
    ["empty", "{}"],
    ["logged out", `{ "OPENAI_API_KEY": null, "tokens": null }`],
    ["with an empty key", `{ "OPENAI_API_KEY": "" }`],
    ["not JSON", `{ "OPENAI_API`],
    ["null", "null"],
  ] as const) {
    verifies("demo.login", `${title} does not count as a login`, () => {
      expect(loginState({ authJson })).toBe("not logged in");
    });
  }
});

describe("config.toml", () => {
  for (const [title, configToml] of [
    [
      "a provider with its table",
      `model_provider = "mock" # ours\n\n[model_providers.mock]\nbase_url = "http://x"`,
    ],
    ["quoted names", `"model_provider" = 'my.own'\n[model_providers."my.own"]\nname = "x"`],
    ["dotted keys", `model_provider = "mock"\nmodel_providers.mock.base_url = "http://x"`],
    ["an inline table", `model_provider = "mock"\nmodel_providers = { mock = { base_url = "http://x" } }`],
    ["a provider that Codex knows by itself", `model_provider = "ollama"`],
    [
      "a profile's provider",
      `profile = "a"\n[profiles.a]\nmodel_provider = "b"\n[model_providers.b]\nname = "b"`,
    ],
    ["a profile from elsewhere", `profile = "work"`],
    ["a keyring", `cli_auth_credentials_store = "keyring"`],
    ["perhaps a keyring", `cli_auth_credentials_store = "auto"`],
  ] as const) {
    verifies("demo.login", `with ${title} makes Codex usable`, () => {
      expect(loginState({ configToml })).toBe("ready");
    });
  }

  for (const [title, configToml] of [
    ["nothing about providers", `model = "x"\n[tui]\nnotifications = true`],
    ["the default provider", `model_provider = "openai"`],
    ["a provider that is not defined", `model_provider = "mock"`],
    ["a provider that is not selected", `[model_providers.mock]\nbase_url = "http://x"`],
    [
      "a key of the same name in a table",
      `[other]\nmodel_provider = "mock"\n[model_providers.mock]\nname = "x"`,
    ],
    ["a key in a comment", `# model_provider = "mock"\n[model_providers.mock]\nname = "x"`],
    ["a key in a long string", `notes = """\nmodel_provider = "ollama"\n"""`],
    ["a key after a list of several lines", `[a]\nlist = [\n["b"],\n["c"]\n]\nmodel_provider = "ollama"`],
    [
      "a provider that requires the login",
      `model_provider = "p"\n[model_providers.p]\nrequires_openai_auth = true`,
    ],
    ["a profile without a provider", `profile = "a"\n[profiles.a]\nmodel = "x"`],
    ["a file as the store", `cli_auth_credentials_store = "file"`],
  ] as const) {
    verifies("demo.login", `with ${title} changes nothing`, () => {
      expect(loginState({ configToml })).toBe("not logged in");
    });
  }
});

describe("CODEX_HOME", () => {
  verifies("demo.login", "is CODEX_HOME, or .codex in the home folder", () => {
    expect(codexHomeOf({ CODEX_HOME: "/x" })).toBe("/x");
    expect(codexHomeOf({ CODEX_HOME: "" })).toBe(path.join(homedir(), ".codex"));
    expect(codexHomeOf({})).toBe(path.join(homedir(), ".codex"));
  });

  verifies("demo.login", "is read, not written", async () => {
    const home = await mkdtemp(path.join(tmpdir(), "codexwright-login-"));
    try {
      expect(await readLoginState(home)).toBe("not logged in");
      expect(await readLoginState(path.join(home, "absent"))).toBe("not logged in");
      expect(await readdir(home)).toEqual([]);
      await writeFile(path.join(home, "auth.json"), `{ "OPENAI_API_KEY": "sk-test" }`);
      expect(await readLoginState(home)).toBe("ready");
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
