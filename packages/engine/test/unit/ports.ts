import { CodexClient } from "codexwright";
import { memoryPair } from "codexwright/rpc";
import type {
  EngineServer,
  EngineServerOptions,
  Files,
  ModelEvent,
  ModelProvider,
  ModelRequest,
  Shell,
  ShellCommand,
} from "@codexwright/engine";
import { nodePlatform } from "@codexwright/engine/node";

const USAGE = {
  inputTokens: 7,
  cachedInputTokens: 0,
  outputTokens: 3,
  reasoningOutputTokens: 0,
  totalTokens: 10,
};

export const completed: ModelEvent = { type: "completed", usage: USAGE };

/** A message as a model streams it. */
export function message(id: string, text: string): ModelEvent[] {
  const item = { type: "message", id, role: "assistant", content: [{ type: "output_text", text }] };
  return [
    { type: "itemAdded", item: { ...item, content: [] } },
    { type: "text", itemId: id, delta: text },
    { type: "itemDone", item },
  ];
}

/** A function call of the model. */
export function call(callId: string, name: string, args: unknown): ModelEvent {
  return {
    type: "itemDone",
    item: { type: "function_call", id: callId, call_id: callId, name, arguments: JSON.stringify(args) },
  };
}

/** The events of an answer, or a function that streams them. */
export type Answer =
  | readonly ModelEvent[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

/** A model that returns these answers in order, and records its requests. */
export function modelOf(...answers: readonly Answer[]): ModelProvider & {
  readonly requests: readonly ModelRequest[];
} {
  const requests: ModelRequest[] = [];
  return {
    id: "own",
    requests,
    models: () => Promise.resolve([]),
    async *stream(request, signal) {
      const answer = answers[requests.length] ?? [];
      requests.push(request);
      if (typeof answer === "function") yield* answer(request, signal);
      else yield* answer;
    },
  };
}

/** A shell in which every command writes the same text and exits with 0. */
export function echoShell(): Shell & { readonly commands: readonly ShellCommand[] } {
  const commands: ShellCommand[] = [];
  return {
    commands,
    start(command) {
      commands.push(command);
      const exited = Promise.resolve().then(() => {
        command.onData(new TextEncoder().encode("out of the shell\n"), "stdout");
        return 0;
      });
      return Promise.resolve({
        exitCode: undefined,
        exited,
        write: () => Promise.resolve(),
        end() {},
        kill() {},
      });
    },
  };
}

/** Files in memory. Supports only the methods that patches use. */
export function memoryFiles(texts: Map<string, string>): Files {
  const refuse = (): never => {
    throw new Error("memoryFiles() supports only the methods that patches use");
  };
  const check = (file: string, expected: string | undefined): void => {
    if (texts.get(file) !== expected) throw new Error(`${file} has changed meanwhile`);
  };
  const isFolder = (file: string): boolean =>
    file === "/" || [...texts.keys()].some((each) => each.startsWith(`${file}/`));
  return {
    kind: (file) => (texts.has(file) ? "file" : isFolder(file) ? "folder" : undefined),
    version: (file) => texts.get(file),
    head: (file) => texts.get(file)?.slice(0, 4096),
    readRegular: async (file) => {
      await Promise.resolve();
      const text = texts.get(file);
      return text === undefined ? undefined : { bytes: new TextEncoder().encode(text), version: text };
    },
    replaceRegular: async (file, bytes, expected) => {
      await Promise.resolve();
      check(file, expected);
      const text = new TextDecoder().decode(bytes);
      texts.set(file, text);
      return text;
    },
    removeRegular: async (file, expected) => {
      await Promise.resolve();
      check(file, expected);
      texts.delete(file);
    },
    read: refuse,
    write: refuse,
    createDirectory: refuse,
    metadata: refuse,
    list: refuse,
    walk: refuse,
    copy: refuse,
    remove: refuse,
    watch: refuse,
  };
}

/** Options with a value for everything that is required. */
export function optionsOf(
  model: ModelProvider,
  more: Partial<EngineServerOptions> = {},
): EngineServerOptions {
  return {
    provider: model,
    config: { model: "own-model" },
    shell: echoShell(),
    files: memoryFiles(new Map()),
    platform: nodePlatform(),
    home: "/home/of/codex",
    cwd: "/work",
    ...more,
  };
}

/** Connects a client to the server in memory. */
export async function connect(server: EngineServer): Promise<CodexClient> {
  return await CodexClient.connect({
    transport: () => {
      const [near, far] = memoryPair();
      server.accept(far);
      return near;
    },
  });
}
