import { jsonSchema } from "../../schema/json-schema.ts";
import { tool } from "../../tools/tool.ts";
import type { AgentTool } from "../tools/context.ts";
import { ToolFailure } from "../tools/failure.ts";
import { OPEN_SECTIONS, READ_SECTION } from "./disclosure-text.ts";
import { ExpansionSignal } from "./expansion.ts";
import type { Node } from "./outline.ts";
import { findNode, type Renderer, type Shown } from "./renderer.ts";

/**
 * The tools that the model uses to view summarised sections. Contains only the tools that at least one section needs.
 */
export function disclosureTools<P>(renderer: Renderer<P>, shown: readonly Shown<P>[]): readonly AgentTool[] {
  const summarised = shown.filter(({ visibility }) => visibility === "summary").map(({ node }) => node);
  return [
    ...(summarised.some((node) => renderer.offers(node)) ? [openSections(renderer)] : []),
    ...(summarised.some((node) => !renderer.offers(node)) ? [readSection(renderer)] : []),
  ];
}

function openSections<P>(renderer: Renderer<P>): AgentTool {
  return tool({
    name: OPEN_SECTIONS,
    description: "Expand summarized sections to view their full content.",
    effects: "readonly",
    input: jsonSchema<{ section_keys: string[]; reason: string }>({
      type: "object",
      properties: {
        section_keys: {
          type: "array",
          items: { type: "string" },
          description:
            "Keys of the sections to open, as their summaries show them. Nested sections are written parent.child.",
        },
        reason: { type: "string", description: "Why the sections are needed, in a few words." },
      },
      required: ["section_keys", "reason"],
      additionalProperties: false,
    }),
    run({ section_keys: keys, reason }) {
      if (keys.length === 0) throw new ToolFailure("At least one section key must be provided.");
      const sections = new Set(keys.flatMap((key) => summarisedOn(renderer, nodeOf(renderer, key))));
      if (sections.size > 0) {
        throw new ExpansionSignal(
          { sections: [...sections], reason },
          `Sections expanded: ${keys.join(", ")}. The prompt will be re-rendered with the full content of the requested sections.`,
        );
      }
      const quoted = keys.map((key) => `'${key}'`).join(", ");
      throw new ToolFailure(
        keys.length === 1
          ? `Section ${quoted} is already expanded.`
          : `All requested sections are already expanded: ${quoted}`,
      );
    },
  });
}

function readSection<P>(renderer: Renderer<P>): AgentTool {
  return tool({
    name: READ_SECTION,
    description:
      "Read the full content of a summarized section without expanding it. Nested sections may still be summarized.",
    effects: "readonly",
    input: jsonSchema<{ section_key: string }>({
      type: "object",
      properties: {
        section_key: {
          type: "string",
          description:
            "Key of the section to read, as its summary shows it. Nested sections are written parent.child.",
        },
      },
      required: ["section_key"],
      additionalProperties: false,
    }),
    run({ section_key: key }) {
      const node = nodeOf(renderer, key);
      if (summarisedOn(renderer, node).length === 0)
        throw new ToolFailure(`Section '${key}' is not summarized.`);
      return renderer.read(node);
    },
  });
}

function nodeOf<P>(renderer: Renderer<P>, key: string): Node<P> {
  const node = findNode(renderer, key);
  if (!node) throw new ToolFailure(`Section '${key}' does not exist in this prompt.`);
  return node;
}

/** Checks the section and its parents. Returns the paths of those that are summarised. */
function summarisedOn<P>(renderer: Renderer<P>, node: Node<P>): string[] {
  const keys = node.path.split(".");
  const paths = keys.map((_, index) => keys.slice(0, index + 1).join("."));
  return paths.filter((path) => {
    const on = findNode(renderer, path);
    return on !== undefined && renderer.visibility(on) === "summary";
  });
}
