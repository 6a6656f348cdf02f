import type { MethodTable } from "../../../protocol/table.ts";
import { atLeast } from "../../../protocol/release.ts";
import { CODEX_VERSION } from "../../../protocol/version.gen.ts";
import { UnsupportedError } from "./server-errors.ts";

/**
 * Refuses what an older server would not know. It would not refuse it itself: servers ignore unknown fields, so an
 * option would silently mean something else (`thread/fork` with `ephemeral` makes a lasting thread on 0.98).
 */
export class VersionSupport {
  readonly #requests: MethodTable["clientRequests"];
  readonly #version: string;
  readonly #oldest: string | undefined;

  /** What the `oldest` version of the table had, it stands for everything older too. */
  constructor(table: MethodTable, version: string, oldest: string | undefined) {
    this.#requests = table.clientRequests;
    this.#version = version;
    this.#oldest = oldest;
  }

  check(method: string, params: unknown): void {
    if (!Object.hasOwn(this.#requests, method)) return;
    const info = this.#requests[method];
    if (!info) return;
    this.#require(method, info.since);
    for (const [field, value] of Object.entries(params ?? {})) {
      const since = Object.hasOwn(info.fields, field) ? info.fields[field] : undefined;
      if (since === undefined || value === undefined || value === null) continue;
      this.#require(`${method}'s ${field}`, typeof since === "string" ? since : since[0]);
    }
  }

  #require(what: string, since: string): void {
    if (since === this.#oldest || atLeast(this.#version, since)) return;
    throw new UnsupportedError(
      `${what} came with Codex ${since} or shortly before, and this server is ${this.#version}`,
    );
  }
}

/** The table is large, and of use for older servers only. */
export async function supportOf(version: string): Promise<VersionSupport | undefined> {
  if (atLeast(version, CODEX_VERSION)) return undefined;
  const { METHODS, SAMPLED_VERSIONS } = await import("../../../protocol/table.gen.ts");
  return new VersionSupport(METHODS, version, SAMPLED_VERSIONS[0]);
}
