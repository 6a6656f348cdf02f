/** A mistake of the caller, printed without a stack. */
export class UpgradeError extends Error {}

export const USAGE = "npm run upgrade-codex -- <version> [--dry-run]";

/** What the command line asks for. */
export interface Target {
  readonly version: string;
  readonly dryRun: boolean;
}

/** Reads the command line; throws an UpgradeError that says what is wrong with it. */
export function readTarget(args: readonly string[]): Target {
  const unknown = args.find((arg) => arg.startsWith("-") && arg !== "--dry-run");
  if (unknown !== undefined) throw new UpgradeError(`Unknown option ${unknown}. Usage: ${USAGE}`);
  const [version, ...more] = args.filter((arg) => arg !== "--dry-run");
  if (version === undefined) throw new UpgradeError(`A version is missing. Usage: ${USAGE}`);
  if (more.length > 0) throw new UpgradeError(`One version, not ${more.length + 1}. Usage: ${USAGE}`);
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    throw new UpgradeError(
      `"${version}" must be one released version such as 0.166.0: no range, tag or pre-release.`,
    );
  return { version, dryRun: args.includes("--dry-run") };
}
