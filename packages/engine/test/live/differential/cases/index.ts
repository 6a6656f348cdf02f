import type { Scenario } from "@codexwright/testing";
import { AGENTS } from "./agents.ts";
import { APPROVALS } from "./approvals.ts";
import { COMMANDS } from "./commands.ts";
import { COMPACTION } from "./compaction.ts";
import { ERRORS } from "./errors.ts";
import { HISTORY } from "./history.ts";
import { IMAGES } from "./images.ts";
import { MCP } from "./mcp.ts";
import { MESSAGES } from "./messages.ts";
import { QUEUE } from "./queue.ts";
import { REVIEWS } from "./reviews.ts";
import { SERVICES } from "./services.ts";
import { SETTINGS } from "./settings.ts";
import { SKILLS } from "./skills.ts";
import { UNLOADING } from "./unloading.ts";

/** The cases that only the comparison has, besides the conformance scenarios. */
export const CASES: readonly Scenario[] = [
  ...MESSAGES,
  ...COMMANDS,
  ...APPROVALS,
  ...IMAGES,
  ...ERRORS,
  ...HISTORY,
  ...QUEUE,
  ...SERVICES,
  ...COMPACTION,
  ...SKILLS,
  ...UNLOADING,
  ...SETTINGS,
  ...REVIEWS,
  ...MCP,
  ...AGENTS,
];
