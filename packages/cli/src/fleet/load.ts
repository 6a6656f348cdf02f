import type * as FleetProgram from "@codexwright/orchestrator";
import type * as FleetModule from "@codexwright/orchestrator/cli";
import { CommandError, EXIT } from "../shared/command-error.ts";

export type { FleetModule };

/** The least version of Node that `@codexwright/orchestrator` runs on. */
const LEAST = [22, 15] as const;
const PACKAGE = "@codexwright/orchestrator";

/** Loads the part of the package that reads fleets. The command does not bring the package along. */
export async function loadFleet(): Promise<typeof FleetModule> {
  return await load(async () => await import("@codexwright/orchestrator/cli"));
}

/** Loads the package itself. */
export async function loadFleetProgram(): Promise<typeof FleetProgram> {
  return await load(async () => await import("@codexwright/orchestrator"));
}

async function load<T>(module: () => Promise<T>): Promise<T> {
  requireNode(process.versions.node);
  try {
    return await module();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommandError("missing_dependency", EXIT.failed, `the package ${PACKAGE} is not installed`, [
      `Install it next to the command: npm install --global ${PACKAGE}`,
      `It needs Node ${LEAST.join(".")} or later.`,
    ]);
  }
}

/** Throws `unsupported_node`, because the package would fail with a worse error. Exported for its tests. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return;
  const least = LEAST.join(".");
  throw new CommandError(
    "unsupported_node",
    EXIT.failed,
    `a fleet needs Node ${least} or later; this is ${version}`,
    [
      "Install a newer Node from https://nodejs.org, and run the same command with it.",
      "The other commands of codexwright run on this Node.",
    ],
  );
}

/** Whether the package itself is missing. An error inside of it must be shown. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes(`'${PACKAGE}'`);
}
