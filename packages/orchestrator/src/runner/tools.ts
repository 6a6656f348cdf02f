import type { Tool } from "codexwright";
import type { RunControl } from "./port.ts";

/**
 * Lets the tools of a tracker act only while the run's grant holds: a worker that was cut off must not write to the
 * tracker when another one works on the issue.
 */
export function fencedTools(tools: readonly Tool[], control: RunControl): readonly Tool[] {
  return tools.map((tool) =>
    tool.effects === "readonly"
      ? tool
      : {
          ...tool,
          run: async (input: never, context): Promise<unknown> => {
            control.signal.throwIfAborted();
            if (!(await control.holds())) throw new Error("this run has lost the issue: end your work");
            return await tool.run(input, context);
          },
        },
  );
}
