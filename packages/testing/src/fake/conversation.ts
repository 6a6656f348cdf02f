import type { DynamicToolSpec, UserInput } from "codexwright/protocol";
import { modelRequest, type ModelRequest, type WireObject } from "../model-request.ts";
import type { FakeThread } from "./fake-thread.ts";
import { uuid7 } from "./ids.ts";

/** What the user said, as the model is told it. */
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

export function assistantMessage(id: string, text: string, phase: string | undefined): WireObject {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id, role: "assistant", content, ...(phase === undefined ? {} : { phase }) };
}

/** The model is told in this way that a turn did not end by itself. */
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

/** What the real server offers every model it does not know. */
const TOOLS = ["exec_command", "write_stdin", "update_plan", "request_user_input", "view_image"];
const AGENT_TOOLS = ["close_agent", "resume_agent", "send_input", "spawn_agent", "wait_agent"];

/** What the model would be asked now. */
export function requestOf(thread: FakeThread, more: readonly WireObject[] = []): ModelRequest {
  const { record, host } = thread;
  const tools = [
    ...TOOLS.map((name) => ({ type: "function", name })),
    namespace("multi_agent_v1", AGENT_TOOLS),
    ...host.mcp.entries(thread).map(([name, { tools: own }]) =>
      namespace(
        `mcp__${name}`,
        own.map((tool) => tool.name),
      ),
    ),
    ...record.dynamicTools.map((spec) => dynamicTool(spec)),
  ];
  const body = {
    model: thread.settings.model,
    instructions: record.instructions,
    input: [...record.history, ...more],
    tools,
    ...(thread.turn?.outputSchema === undefined
      ? {}
      : {
          text: {
            format: {
              type: "json_schema",
              strict: true,
              name: "codex_output_schema",
              schema: thread.turn.outputSchema,
            },
          },
        }),
  };
  return modelRequest(host.model.requests.length, "/v1/responses", { "thread-id": thread.id }, body);
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
