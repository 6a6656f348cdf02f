import { loadOptional } from "../rpc/optional-dependency.ts";

/** True for a path, from the mount's folder, that a list of globs matches. */
export type Matcher = (file: string) => boolean;

type Picomatch = (globs: readonly string[], options: { dot: boolean }) => Matcher;

/** Makes a matcher. `*` stays within a folder, `**` does not; files that start with a dot are files like others. */
export async function matcher(globs: readonly string[]): Promise<Matcher> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await loadOptional<{ default: Picomatch }>(
    "picomatch",
    "a mount with include or exclude",
  );
  return picomatch(globs, { dot: true });
}
