import type { FuzzyFileSearchResult, GetAccountResponse, SkillsListEntry } from "../../protocol/index.ts";
import { KeptTokens, Login, logout, RateLimits, readAccount } from "./account/index.ts";
import { exec, execCommand } from "./commands/index.ts";
import { Config, listSkills } from "./config/index.ts";
import { CodexFs, watch } from "./files/index.ts";
import { Mcp } from "./mcp/index.ts";
import type { Requester } from "../connection/requester.ts";
import type { RefreshedTokens } from "../requests/index.ts";
import { openSearch, searchFiles, type SearchSession } from "./search/index.ts";
import type { ServiceHost } from "./service-host.ts";

type Rest<F> = F extends (host: ServiceHost, ...rest: infer R) => unknown ? R : never;

/** The services of one client: its features besides threads. */
export class Services {
  readonly login: Login;
  readonly rateLimits: RateLimits;
  readonly mcp: Mcp;
  readonly config: Config;
  readonly fs: CodexFs;
  readonly #host: ServiceHost;
  readonly #kept: KeptTokens;

  constructor(host: ServiceHost) {
    this.#host = host;
    this.#kept = new KeptTokens(host);
    this.login = new Login(host, this.#kept);
    this.rateLimits = new RateLimits(host);
    this.mcp = new Mcp(host);
    this.config = new Config(host);
    this.fs = new CodexFs(host);
  }

  /** Logs the new server in with the tokens that the lost server held only in memory. */
  async restore(request: Requester, signal: AbortSignal): Promise<void> {
    const { current } = this.#kept;
    if (!current) return;
    try {
      await new Login({ ...this.#host, request }, this.#kept).tokens(current, { signal });
    } catch (cause) {
      // If the connection is lost again, the recovery handles it.
      if (signal.aborted) return;
      this.#host.warn("login_lost", "the server that replaced a lost one refused the tokens", cause);
    }
  }

  /** Called when the caller's `refreshTokens` handler has returned new tokens. */
  renew(tokens: RefreshedTokens): void {
    this.#kept.renew(tokens);
  }

  exec(...args: Rest<typeof exec>): ReturnType<typeof exec> {
    return exec(this.#host, ...args);
  }

  execCommand(...args: Rest<typeof execCommand>): ReturnType<typeof execCommand> {
    return execCommand(this.#host, ...args);
  }

  watch(...args: Rest<typeof watch>): ReturnType<typeof watch> {
    return watch(this.#host, ...args);
  }

  account(...args: Rest<typeof readAccount>): Promise<GetAccountResponse> {
    return readAccount(this.#host, ...args);
  }

  logout(...args: Rest<typeof logout>): Promise<void> {
    return logout(this.#host, ...args);
  }

  skills(...args: Rest<typeof listSkills>): Promise<SkillsListEntry[]> {
    return listSkills(this.#host, ...args);
  }

  search(...args: Rest<typeof searchFiles>): Promise<FuzzyFileSearchResult[]> {
    return searchFiles(this.#host, ...args);
  }

  searchSession(...args: Rest<typeof openSearch>): Promise<SearchSession> {
    return openSearch(this.#host, ...args);
  }
}
