import type { MethodTable } from "../../../protocol/table.ts";
import { atLeast } from "../../../protocol/release.ts";
import { CODEX_VERSION } from "../../../protocol/version.gen.ts";
import { UnsupportedError } from "./server-errors.ts";

/**
 * Rejects requests that an older server does not support. The server itself would not reject them: it ignores unknown
 * fields, so the request would silently do something else (`thread/fork` with `ephemeral` makes a lasting thread on
 * 0.98).
 */
export class VersionSupport {
  readonly #requests: MethodTable["clientRequests"];
  readonly #version: string;
  readonly #oldest: string | undefined;

  /** Methods and fields of the `oldest` version in the table are assumed to exist in all older versions. */
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
      `this server (Codex ${this.#version}) does not support ${what}, which came with Codex ${since} or shortly before`,
    );
  }
}

/** Loads the table only for older servers, because it is large. */
export async function supportOf(version: string): Promise<VersionSupport | undefined> {
  if (atLeast(version, CODEX_VERSION)) return undefined;
  const { METHODS, SAMPLED_VERSIONS } = await import("../../../protocol/table.gen.ts");
  return new VersionSupport(METHODS, version, SAMPLED_VERSIONS[0]);
}
