import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { fieldsOf } from "./fields.ts";
import { tomlKeys } from "./toml-keys.ts";

/** Whether a turn can reach a model with what the user has set up. */
export type LoginState = "ready" | "not logged in";

/** The files of a CODEX_HOME that tell; absent ones are undefined. */
export interface CodexFiles {
  readonly authJson?: string | undefined;
  readonly configToml?: string | undefined;
}

/** The folder Codex keeps its login and configuration in. */
export function codexHomeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env["CODEX_HOME"] || path.join(homedir(), ".codex");
}

/** Reads the state from the files: a server started in the user's home to ask it would write there. */
export async function readLoginState(codexHome: string): Promise<LoginState> {
  const [authJson, configToml] = await Promise.all([
    readIfThere(path.join(codexHome, "auth.json")),
    readIfThere(path.join(codexHome, "config.toml")),
  ]);
  return loginState({ authJson, configToml });
}

/** Judges by what the files say; whether a key or token is still good only the model's provider knows. */
export function loginState({ authJson, configToml = "" }: CodexFiles): LoginState {
  const config = tomlKeys(configToml);
  return hasOwnProvider(config) || mayBeInKeyring(config) || hasCredentials(authJson)
    ? "ready"
    : "not logged in";
}

/** Providers that Codex knows without a table, and that need no login. */
const BUILT_IN: ReadonlySet<string> = new Set(["ollama", "lmstudio", "amazon-bedrock"]);

type Config = ReadonlyMap<string, string>;

function hasOwnProvider(config: Config): boolean {
  const profile = config.get("profile");
  // A profile that is not in this file may come from a place we do not know: Codex will.
  if (profile !== undefined && !isSet(config, `profiles.${profile}`)) return true;
  const provider =
    config.get(`profiles.${profile}.model_provider`) ?? config.get("model_provider") ?? "openai";
  if (provider === "openai") return false;
  const table = `model_providers.${provider}`;
  if (config.get(`${table}.requires_openai_auth`) === "true") return false;
  return (
    BUILT_IN.has(provider) ||
    isSet(config, table) ||
    config.get("model_providers")?.includes(provider) === true
  );
}

function isSet(config: Config, table: string): boolean {
  return [...config.keys()].some((key) => key === table || key.startsWith(`${table}.`));
}

/** The system's keyring cannot be looked into without asking the user, so whoever chose it counts as logged in. */
function mayBeInKeyring(config: Config): boolean {
  const store = config.get("cli_auth_credentials_store");
  return store === "keyring" || store === "auto";
}

function hasCredentials(authJson: string | undefined): boolean {
  const auth = fieldsOf(parsed(authJson));
  const tokens = fieldsOf(auth["tokens"]);
  const secrets = [
    auth["OPENAI_API_KEY"],
    auth["personal_access_token"],
    auth["agent_identity"],
    tokens["access_token"],
    tokens["refresh_token"],
  ];
  return secrets.some(Boolean);
}

function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? "{}");
  } catch {
    return undefined;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
