import { fullName, namespaceOf } from "../../tools/tool-check.ts";
import { toolSpecs } from "../../tools/tool-spec.ts";
import type { RenderedPrompt } from "../prompt/prompt.ts";
import type { RenderedTool } from "./events.ts";

/** The tools of a prompt, as they are described to the model. */
export function renderedTools({ tools }: RenderedPrompt): RenderedTool[] {
  return tools.map((tool) => {
    const [spec] = toolSpecs([tool]);
    const [own] = spec?.type === "namespace" ? spec.tools : [spec];
    const name = fullName(tool.name, namespaceOf(tool)?.name);
    const inputSchema = own && "inputSchema" in own ? own.inputSchema : {};
    return { name, description: tool.description, inputSchema };
  });
}
