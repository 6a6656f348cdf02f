import type { FoundInstructions } from "../ports.ts";
import type { LoadedThread } from "./loaded-thread.ts";

/** Reads the skills of the thread's folder, and its instructions if the folder has changed. */
export async function refreshInstructions(thread: LoadedThread): Promise<void> {
  const { cwd } = thread.settings;
  thread.skills = await thread.host.skills.find(cwd);
  if (thread.instructions.cwd === cwd) return;
  thread.instructions = await instructionsIn(thread, cwd);
  thread.warnOfInstructions();
}

/** A configuration that cannot be used does not end a turn. The project may not be trusted, so its files do not count. */
async function instructionsIn(
  { host, config, instructions }: LoadedThread,
  cwd: string,
): Promise<FoundInstructions> {
  try {
    return (await host.configs.find({ cwd, overrides: config.overrides })).instructions;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "config_invalid") throw error;
    const files = instructions.files.filter(({ scope }) => scope === "user");
    return { cwd, files, warnings: [(error as Error).message] };
  }
}
