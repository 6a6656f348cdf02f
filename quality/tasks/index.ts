import type { Task } from "../lib/task.ts";
import { CHANGES } from "./changes.ts";
import { FIXES } from "./fixes.ts";
import { REPOSITORIES } from "./repositories.ts";

/** All tasks, in the order in which they run. */
export const TASKS: readonly Task[] = [...FIXES, ...CHANGES, ...REPOSITORIES];
