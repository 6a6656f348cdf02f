import { rm } from "node:fs/promises";
import path from "node:path";
import type { LoginKind, Logins } from "../../core/ports.ts";
import { changeFile } from "../change-file.ts";
import { ConfigError } from "../config-error.ts";
import { readLogin, type Login } from "./auth-file.ts";

/** Options of {@link LoginFile}. */
export interface LoginFileOptions {
  readonly home: string;
  /** The environment for keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The login as it was read. */
  readonly login: Login;
}

/** The login in `auth.json`, in the form of Codex, so that both share it. A key of the environment comes first. */
export class LoginFile implements Logins {
  readonly #home: string;
  readonly #env: LoginFileOptions["env"];
  #current: Login;

  constructor({ home, env, login }: LoginFileOptions) {
    this.#home = home;
    this.#env = env;
    this.#current = login;
  }

  /** The login as it was last read. */
  get current(): Login {
    return this.#current;
  }

  async read(): Promise<LoginKind> {
    this.#current = (await readLogin(this.#home, this.#env)).login;
    return this.#current.kind;
  }

  async saveKey(key: string): Promise<void> {
    const text = JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: key }, undefined, 2);
    await changeFile(this.#file, () => Promise.resolve({ text, result: undefined }), 0o600);
    await this.read();
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true }).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError(this.#file, `the file cannot be removed (${error.code})`);
    });
    await this.read();
  }

  get #file(): string {
    return path.join(this.#home, "auth.json");
  }
}
