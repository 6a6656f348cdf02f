import type { ModelRequest } from "../../core/ports.ts";
import type { WireObject } from "../../core/wire-object.ts";

/** The body of a request in the form of the Responses API. */
export function bodyOf(request: ModelRequest): WireObject {
  const { model, instructions, input, tools, outputSchema, ids, effort, summary } = request;
  return {
    model,
    ...(instructions === "" ? {} : { instructions }),
    stream: true,
    input,
    tools,
    tool_choice: "auto",
    parallel_tool_calls: request.parallel ?? true,
    reasoning: {
      ...(effort === null || effort === undefined ? {} : { effort }),
      ...(summary === "none" ? {} : { summary: summary ?? "auto" }),
    },
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: ids.session ?? ids.thread,
    ...(outputSchema && {
      text: { format: { type: "json_schema", name: "codex_output_schema", ...outputSchema } },
    }),
  };
}

/** The headers that identify the thread. Names are in lower case. */
export function threadHeaders({ ids, originator }: ModelRequest): Record<string, string> {
  return {
    "session-id": headerText(ids.session ?? ids.thread),
    "thread-id": headerText(ids.thread),
    "x-client-request-id": headerText(ids.thread),
    ...(originator === undefined ? {} : { originator: headerText(originator) }),
  };
}

/** Clients choose some of these texts, so characters that a header cannot have are replaced. */
function headerText(text: string): string {
  return text.replaceAll(/[^ -~]/g, "?").slice(0, 256);
}
