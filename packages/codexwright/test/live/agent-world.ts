import { CodexClient, type CodexClientOptions } from "codexwright";
import { CodexAgent, type AgentEvent, type AgentOptions, type Run } from "codexwright/agent";
import {
  realAppServer,
  scriptedModel,
  type ModelScript,
  type RealAppServerOptions,
} from "@codexwright/testing";
import { record, type RecordingLine } from "codexwright/recording";
import { stdio } from "codexwright/stdio";

/** Options of `agentWorld()`. */
export interface AgentWorldOptions extends Omit<RealAppServerOptions, "model"> {
  readonly agent?: Partial<AgentOptions>;
  readonly client?: Partial<CodexClientOptions>;
}

/** A wire message. */
export interface Message {
  readonly direction: "in" | "out";
  readonly message: Readonly<Record<string, unknown>>;
}

/** An agent on a real server with a scripted model, with a record of all wire messages. */
export async function agentWorld(script: ModelScript, options: AgentWorldOptions = {}) {
  const { agent: more, client, ...rest } = options;
  const model = await scriptedModel(script);
  const server = await realAppServer({ model, ...rest });
  const lines: RecordingLine[] = [];
  let connects = 0;
  const { codexPath, codexHome, cwd, env, ...defaults } = server.clientOptions;
  const agent = await CodexAgent.open({
    connect: async () => {
      connects++;
      const transport = record(
        stdio({ ...(codexPath !== undefined && { codexPath }), codexHome, cwd, env }),
        (line) => void lines.push(line),
      );
      return await CodexClient.connect({ transport, ...defaults, ...client } as CodexClientOptions);
    },
    ...more,
  });
  return {
    agent,
    model,
    server,
    get connects() {
      return connects;
    },
    lines,
    wire: (): Message[] => lines.filter((line): line is never => "message" in line),
    sent: (method: string): Readonly<Record<string, unknown>>[] =>
      lines.flatMap((line) =>
        "message" in line && line.direction === "out" && line.message["method"] === method
          ? [line.message["params"] as Readonly<Record<string, unknown>>]
          : [],
      ),
    [Symbol.asyncDispose]: async () => {
      await agent[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

/** The events of one type, in order. */
export function eventsOf<T extends AgentEvent["type"]>(
  run: Pick<Run, "events">,
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}
