import type { DynamicToolSpec, UserInput } from "codexwright/protocol";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import { uuid7 } from "../ids.ts";
import type { ModelRequest } from "../ports.ts";
import type { WireObject } from "../wire-object.ts";

/** The user's input as a message to the model. */
export function userMessage(input: readonly UserInput[]): WireObject {
  return message(
    "user",
    input.map((part) => contentOf(part)),
  );
}

export function message(
  role: "user" | "assistant" | "developer",
  content: readonly WireObject[],
): WireObject {
  return { type: "message", id: `msg_${uuid7()}`, role, content };
}

export function inputText(text: string): WireObject {
  return { type: "input_text", text };
}

/** Informs the model that the user interrupted the turn. */
export function abortedMessage(): WireObject {
  return message("user", [
    inputText(
      "<turn_aborted>\nThe user interrupted the previous turn on purpose. Any running unified exec processes may still be running in the background. If any tools/commands were aborted, they may have partially executed.\n</turn_aborted>",
    ),
  ]);
}

function contentOf(part: UserInput): WireObject {
  if (part.type === "text") return inputText(part.text);
  if (part.type === "image") return { type: "input_image", image_url: "url" in part ? part.url : "" };
  return inputText(JSON.stringify(part));
}

/** The tools that the real server offers to every model that it does not know. */
const TOOLS = ["exec_command", "write_stdin", "update_plan", "request_user_input", "view_image"];
const AGENT_TOOLS = ["close_agent", "resume_agent", "send_input", "spawn_agent", "wait_agent"];

/** The next request to the model: the conversation so far, followed by `more`. */
export function requestOf(thread: LoadedThread, more: readonly WireObject[] = []): ModelRequest {
  const { record, host } = thread;
  const tools = [
    ...TOOLS.map((name) => ({ type: "function", name })),
    namespace("multi_agent_v1", AGENT_TOOLS),
    ...host.mcp.list().map(({ name, tools: own }) =>
      namespace(
        `mcp__${name}`,
        own.map((tool) => tool.name),
      ),
    ),
    ...record.dynamicTools.map((spec) => dynamicTool(spec)),
  ];
  const schema = thread.turn?.outputSchema;
  return {
    model: thread.settings.model,
    instructions: record.instructions,
    input: [...record.history, ...more],
    tools,
    ...(schema === undefined ? {} : { outputSchema: { schema, strict: true } }),
    ids: { thread: thread.id },
  };
}

function namespace(name: string, tools: readonly string[]): WireObject {
  return { type: "namespace", name, tools: tools.map((tool) => ({ type: "function", name: tool })) };
}

function dynamicTool(spec: DynamicToolSpec): WireObject {
  if (spec.type === "namespace") {
    return namespace(
      spec.name,
      spec.tools.map((tool) => tool.name),
    );
  }
  return { type: "function", name: spec.name };
}
