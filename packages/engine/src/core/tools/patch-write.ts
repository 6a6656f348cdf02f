import type { Files } from "../ports.ts";
import { bytesOf, type PatchStep } from "./patch-plan.ts";

/** A step that was done, with the version that it left behind. */
interface Done {
  readonly step: PatchStep;
  readonly version: string | undefined;
}

/**
 * Applies the steps of a verified patch. If one fails, undoes the steps before it, and returns what happened, for the
 * model. Returns `undefined` if all steps are done.
 */
export async function applySteps(steps: readonly PatchStep[], files: Files): Promise<string | undefined> {
  const done: Done[] = [];
  for (const step of steps) {
    try {
      done.push({ step, version: await apply(step, files) });
    } catch (error) {
      const left = await undo(done, files);
      const why = `${step.file}: ${(error as Error).message}`;
      if (left.length === 0) return `${why}. No file was changed.`;
      return `${why}. These files were changed and could not be restored: ${left.join(", ")}.`;
    }
  }
  return undefined;
}

async function apply({ file, version, after }: PatchStep, files: Files): Promise<string | undefined> {
  if (after !== undefined) return await files.replaceRegular(file, bytesOf(after), version);
  if (version === undefined) return undefined;
  await files.removeRegular(file, version);
  return undefined;
}

/** Restores files in reverse order. Returns those that it could not restore. */
async function undo(done: readonly Done[], files: Files): Promise<string[]> {
  const left: string[] = [];
  for (const { step, version } of done.toReversed()) {
    const { before, file } = step;
    try {
      if (before === undefined) {
        if (version !== undefined) await files.removeRegular(file, version);
      } else if (typeof before === "object" && "link" in before) {
        left.push(file);
      } else {
        await files.replaceRegular(file, bytesOf(before), version);
      }
    } catch {
      left.push(file);
    }
  }
  return left;
}
