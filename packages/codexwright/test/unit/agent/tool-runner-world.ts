import {
  createSession,
  memoryFs,
  provide,
  Resources,
  ToolRunner,
  type AgentTool,
  type MemoryFs,
  type Session,
  type ToolOutcome,
} from "codexwright/agent";
import { Files } from "codexwright/agent";
import { slices } from "./plan.ts";

/** A tool runner with a session, files in memory, and a short way to call. */
export interface World {
  readonly runner: ToolRunner;
  readonly session: Session;
  readonly files: MemoryFs;
  readonly resources: Resources;
  readonly warnings: string[];
  readonly call: (tool: string, args?: unknown, signal?: AbortSignal) => Promise<ToolOutcome>;
}

export function world(
  tools: readonly AgentTool[],
  options: Partial<ConstructorParameters<typeof ToolRunner>[0]> = {},
): World {
  const session = createSession({ slices });
  const files = memoryFs({ "a.txt": "before" });
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const resources = new Resources([provide(Files, () => files)], { onError: onWarning });
  const runner = new ToolRunner({ tools, session, resources, runId: "run", onWarning, ...options });
  let calls = 0;
  return {
    runner,
    session,
    files,
    resources,
    warnings,
    call: async (tool, args = {}, signal = new AbortController().signal) => {
      const [name, namespace] = tool.split(".").toReversed();
      const place = { threadId: "thread", turnId: "turn", callId: `call-${++calls}` };
      return await runner.call(
        { ...place, tool: name ?? "", namespace: namespace ?? null, arguments: args as never },
        signal,
      );
    },
  };
}

/** The text of the tool result for the model. */
export function textOf({ reply }: ToolOutcome): string {
  return reply.contentItems.map((item) => ("text" in item ? item.text : `(${item.type})`)).join("\n");
}
