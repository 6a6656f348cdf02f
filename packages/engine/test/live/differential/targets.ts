import { realTarget, type ConformanceTarget } from "@codexwright/testing";
import { engineTarget } from "@codexwright/test-support/engine-target";
import { PINNED_CODEX } from "../../../../../scripts/codex-versions.ts";

/** Both servers listen on a socket, because clients of a socket share one server. */
export const REAL: ConformanceTarget = realTarget({ version: PINNED_CODEX, transport: "websocket" });

/** Set this variable to compare the real server with itself. Any difference is then a fault of the comparison. */
const ITSELF = process.env["CODEXWRIGHT_DIFFERENTIAL_ITSELF"] !== undefined;

export const ENGINE: ConformanceTarget = ITSELF ? REAL : engineTarget({ transport: "websocket" });
