import type { EngineDifference } from "../difference.ts";
import { APPROVALS } from "./approvals.ts";
import { COMMANDS } from "./commands.ts";
import { ERRORS } from "./errors.ts";
import { MCP_SERVERS } from "./mcp-servers.ts";
import { MODEL_REQUESTS } from "./model-requests.ts";
import { PATCHES } from "./patches.ts";
import { PROTOCOL } from "./protocol.ts";
import { REVIEWS } from "./reviews.ts";
import { THREADS } from "./threads.ts";

/** The known differences from Codex. The suite fails if one of them no longer appears. */
export const DIFFERENCES: readonly EngineDifference[] = [
  ...PROTOCOL,
  ...MODEL_REQUESTS,
  ...COMMANDS,
  ...APPROVALS,
  ...PATCHES,
  ...THREADS,
  ...REVIEWS,
  ...MCP_SERVERS,
  ...ERRORS,
];
