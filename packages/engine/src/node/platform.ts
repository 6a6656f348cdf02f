import { createHash } from "node:crypto";
import { hostname } from "node:os";
import path from "node:path";
import type { Platform } from "../core/ports.ts";
import { userHome } from "../config/index.ts";
import { ownCode } from "../sandbox/index.ts";

/** Describes the machine that Node runs on. */
export function nodePlatform(): Platform {
  return {
    hostname: hostname(),
    paths: path,
    userHome: userHome(),
    tmpdir: process.env["TMPDIR"],
    ownCode,
    process: () => ({ id: process.pid, residentMemoryBytes: process.memoryUsage.rss() }),
    digest: (algorithm, text) => createHash(algorithm).update(text, "utf8").digest("hex"),
  };
}
