import type { Command } from "commander";
import * as account from "./account.ts";
import * as appServer from "./app-server.ts";
import * as completion from "./completion.ts";
import * as doctor from "./doctor.ts";
import * as exec from "./exec.ts";
import * as fleet from "./fleet.ts";
import * as help from "./help.ts";
import * as models from "./models.ts";
import * as recordings from "./recordings.ts";
import * as review from "./review.ts";
import * as run from "./run.ts";
import * as serve from "./serve.ts";
import * as threads from "./threads.ts";

/** The order in which the help lists the commands. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  run.register,
  review.register,
  exec.register,
  threads.register,
  models.register,
  account.register,
  doctor.register,
  recordings.register,
  serve.register,
  appServer.register,
  fleet.register,
  completion.register,
  help.register,
];
