import type { Invocation } from "../shared/invoke.ts";
import { connectFleet, untilInterrupted, type RunningOptions } from "./connect.ts";
import { tellState } from "./tell-state.ts";
import { watch } from "./watch.ts";

export interface StatusOptions extends RunningOptions {
  readonly watch?: boolean;
}

/** Shows the state once, or until Ctrl-C. */
export async function status({ options, output, cwd }: Invocation<StatusOptions>): Promise<void> {
  const fleet = await connectFleet(options, cwd);
  if (!options.watch) return tellState(await fleet.state(), output);
  const { signal, release } = untilInterrupted();
  try {
    await watch(fleet, output, signal);
  } finally {
    release();
  }
}
