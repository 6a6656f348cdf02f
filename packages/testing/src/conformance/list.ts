import type { Scenario } from "./scenario.ts";
import { APPROVALS } from "./scenarios/approvals.ts";
import { AUTO_REVIEWS } from "./scenarios/auto-reviews.ts";
import { CLIENTS } from "./scenarios/clients.ts";
import { COMMANDS } from "./scenarios/commands.ts";
import { CONTROL } from "./scenarios/control.ts";
import { ERRORS } from "./scenarios/errors.ts";
import { FILES } from "./scenarios/files.ts";
import { GATES } from "./scenarios/gates.ts";
import { HANDSHAKE } from "./scenarios/handshake.ts";
import { HISTORY } from "./scenarios/history.ts";
import { OLDER } from "./scenarios/older.ts";
import { PATCHES } from "./scenarios/patches.ts";
import { QUESTIONS } from "./scenarios/questions.ts";
import { SERVICES } from "./scenarios/services.ts";
import { SPECIAL } from "./scenarios/special.ts";
import { THREADS } from "./scenarios/threads.ts";
import { TOOLS } from "./scenarios/tools.ts";
import { TURNS } from "./scenarios/turns.ts";
import { WIRE } from "./scenarios/wire.ts";

/** All scenarios, in the order of the protocol. */
export const scenarios: readonly Scenario[] = [
  ...HANDSHAKE,
  ...WIRE,
  ...GATES,
  ...THREADS,
  ...HISTORY,
  ...TURNS,
  ...COMMANDS,
  ...APPROVALS,
  ...AUTO_REVIEWS,
  ...PATCHES,
  ...TOOLS,
  ...QUESTIONS,
  ...CONTROL,
  ...ERRORS,
  ...SPECIAL,
  ...SERVICES,
  ...FILES,
  ...CLIENTS,
  ...OLDER,
];
