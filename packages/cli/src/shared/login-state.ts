import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { fieldsOf } from "./fields.ts";
import { tomlKeys } from "./toml-keys.ts";

/** Whether the user's set-up lets a turn reach a model. */
export type LoginState = "ready" | "not logged in";

/** The files of a CODEX_HOME that determine the state. Missing files are undefined. */
export interface CodexFiles {
  readonly authJson?: string | undefined;
  readonly configToml?: string | undefined;
}

/** The folder in which Codex keeps its login and configuration. */
export function codexHomeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env["CODEX_HOME"] || path.join(homedir(), ".codex");
}

/** Reads the state from the files. A server could report the state, but would write to the user's home. */
export async function readLoginState(codexHome: string): Promise<LoginState> {
  const [authJson, configToml] = await Promise.all([
    readIfThere(path.join(codexHome, "auth.json")),
    readIfThere(path.join(codexHome, "config.toml")),
  ]);
  return loginState({ authJson, configToml });
}

/** Judges by the content of the files. Only the model's provider knows whether a key or token is still valid. */
export function loginState({ authJson, configToml = "" }: CodexFiles): LoginState {
  const config = tomlKeys(configToml);
  return hasOwnProvider(config) || mayBeInKeyring(config) || hasCredentials(authJson)
    ? "ready"
    : "not logged in";
}

/** Providers that are built into Codex and need no login. */
const BUILT_IN: ReadonlySet<string> = new Set(["ollama", "lmstudio", "amazon-bedrock"]);

type Config = ReadonlyMap<string, string>;

function hasOwnProvider(config: Config): boolean {
  const profile = config.get("profile");
  // The profile may be defined somewhere else, which Codex knows and we do not.
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

/**
 * Returns whether the login may be in the system's keyring. Reading the keyring would prompt the user, so
 * this counts as logged in.
 */
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
