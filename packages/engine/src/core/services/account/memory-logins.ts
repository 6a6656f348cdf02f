import type { LoginKind, Logins } from "../../ports.ts";

/** A login in memory, which no model provider uses. */
export class MemoryLogins implements Logins {
  #kind: LoginKind = "none";

  read(): Promise<LoginKind> {
    return Promise.resolve(this.#kind);
  }

  async saveKey(): Promise<void> {
    await Promise.resolve();
    this.#kind = "apiKey";
  }

  async remove(): Promise<void> {
    await Promise.resolve();
    this.#kind = "none";
  }
}
