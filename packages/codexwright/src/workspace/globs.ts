import { loadOptional } from "../rpc/optional-dependency.ts";

/** True if a path, relative to the folder of the mount, matches one of the globs. */
export type Matcher = (file: string) => boolean;

type Picomatch = (globs: readonly string[], options: { dot: boolean }) => Matcher;

/** Creates a matcher. `*` matches within a folder, `**` across folders. Names that start with a dot match too. */
export async function matcher(globs: readonly string[]): Promise<Matcher> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await loadOptional<{ default: Picomatch }>(
    "picomatch",
    "a mount with include or exclude",
  );
  return picomatch(globs, { dot: true });
}
