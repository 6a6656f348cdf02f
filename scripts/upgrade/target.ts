/** A usage error, printed without a stack. */
export class UpgradeError extends Error {}

export const USAGE = "npm run upgrade-codex -- <version> [--dry-run]";

/** The parsed command line. */
export interface Target {
  readonly version: string;
  readonly dryRun: boolean;
}

/** Parses the command line. Throws an UpgradeError that explains a mistake. */
export function readTarget(args: readonly string[]): Target {
  const unknown = args.find((arg) => arg.startsWith("-") && arg !== "--dry-run");
  if (unknown !== undefined) throw new UpgradeError(`Unknown option ${unknown}. Usage: ${USAGE}`);
  const [version, ...more] = args.filter((arg) => arg !== "--dry-run");
  if (version === undefined) throw new UpgradeError(`A version is missing. Usage: ${USAGE}`);
  if (more.length > 0) throw new UpgradeError(`One version, not ${more.length + 1}. Usage: ${USAGE}`);
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    throw new UpgradeError(
      `"${version}" must be one released version such as 0.166.0, not a range, tag or pre-release.`,
    );
  return { version, dryRun: args.includes("--dry-run") };
}
