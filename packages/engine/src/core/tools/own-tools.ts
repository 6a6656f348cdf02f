import type { Tool } from "codexwright/client";
import { InvalidArgumentError } from "codexwright/rpc";
import { ToolBox, toolSpecs } from "codexwright/internal";
import type { JsonValue } from "codexwright/protocol";
import { functionSpec, shownCall } from "./dynamic-tools.ts";
import type { ToolHandler } from "./tool-handler.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** Checks the tools of the program that embeds the engine, and converts those that were created by `tool()`. */
export function ownHandlers(
  tools: readonly (ToolHandler | Tool)[],
  onFailure: (error: unknown) => void,
): ToolHandler<TurnRun>[] {
  const handlers = tools.map((each) => ("input" in each ? handlerOf(each, onFailure) : each));
  const seen = new Set<string>();
  for (const [at, handler] of handlers.entries()) {
    const problem = problemOf(handler, seen);
    if (problem !== undefined) throw new InvalidArgumentError(`tools[${at}] ${problem}`);
  }
  return handlers;
}

function handlerOf(tool: Tool, onFailure: (error: unknown) => void): ToolHandler<TurnRun> {
  const { name, namespace } = tool;
  const box = new ToolBox([tool], { onFailure: (_, error) => onFailure(error) });
  // The name of a tool of Codex is allowed here: it replaces that tool.
  const [spec] = toolSpecs([{ ...tool, name: "own", namespace: undefined, deferLoading: undefined }]);
  return {
    name,
    namespace: typeof namespace === "object" ? namespace.name : namespace,
    namespaceDescription: typeof namespace === "object" ? namespace.description : undefined,
    parallel: tool.effects === undefined || tool.effects === "readonly",
    spec: () => (spec?.type === "function" ? functionSpec({ ...spec, name }) : undefined),
    run: (call, run) =>
      shownCall(run, call, async () => {
        const answer = await box.call(
          {
            threadId: run.threadId,
            turnId: run.id,
            callId: call.callId,
            namespace: call.namespace,
            tool: name,
            arguments: call.input as JsonValue,
          },
          run,
        );
        return run.signal.aborted ? undefined : answer;
      }),
  };
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

function problemOf(
  { name, namespace, spec, run }: ToolHandler<never>,
  seen: Set<string>,
): string | undefined {
  if (typeof name !== "string" || !NAME.test(name)) {
    return "must have a name of 1 to 64 of the characters a-z, A-Z, 0-9, _ and -";
  }
  if (namespace !== undefined && !NAME.test(namespace)) {
    return "must have a namespace of 1 to 64 of the characters a-z, A-Z, 0-9, _ and -";
  }
  if (typeof spec !== "function" || typeof run !== "function") return "must have the functions spec and run";
  const whole = `${namespace ?? ""}\0${name}`;
  if (seen.has(whole)) return `has the same name as an earlier tool: ${JSON.stringify(name)}`;
  seen.add(whole);
  return undefined;
}
