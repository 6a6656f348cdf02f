import type { WireObject } from "../wire-object.ts";
import { flag, list, number, spec, text } from "./tool-specs.ts";

export const AGENTS_NAMESPACE =
  "Delegates parts of the work to agents: other models that work at the same time, each in its own conversation, with your permissions and your working directory. Use them only if the user asks for it or the parts are independent and large. Tell agents which files are theirs, so that they do not undo each other's changes.";

const TARGET = text("The id of the agent.");
const ITEMS = list(
  {
    type: "object",
    properties: {
      type: text('"text" or "image".'),
      text: text("The text."),
      image_url: text("The URL of the image."),
      audio_url: text("Not supported."),
      name: text("The name of a mention."),
      path: text("The path of a mention."),
    },
    additionalProperties: false,
  },
  "The message in parts, in place of `message`.",
);

type AgentToolName = "close_agent" | "resume_agent" | "send_input" | "spawn_agent" | "wait_agent";

function withoutRequired(name: string, description: string, properties: WireObject): WireObject {
  const parameters = { type: "object", properties, additionalProperties: false };
  return { ...spec(name, description, {}), parameters };
}

/** The tools for agents, in the order in which Codex offers them. */
export const AGENT_SPECS: Readonly<Record<AgentToolName, WireObject>> = {
  close_agent: spec(
    "close_agent",
    "Ends an agent that is no longer needed, with its commands, and returns the state that it was in.",
    { target: TARGET },
    ["target"],
  ),
  resume_agent: spec(
    "resume_agent",
    "Opens an agent again that was closed, with its whole conversation. Send it a message afterwards.",
    { id: TARGET },
    ["id"],
  ),
  send_input: spec(
    "send_input",
    "Sends a message to an agent: more input while it works, or a new task when it is done.",
    {
      target: TARGET,
      message: text("The message."),
      items: ITEMS,
      interrupt: flag(
        "Whether the agent stops what it does and reads the message at once. Default false: it reads the message after its current step.",
      ),
    },
    ["target"],
  ),
  // Nothing is required: the message is a text or a list of parts.
  spawn_agent: withoutRequired(
    "spawn_agent",
    "Starts an agent on a task and returns its id at once. It sees only your message, unless you give it the conversation. When it is done, you receive its answer as a message.",
    {
      message: text("The task, with everything that the agent has to know."),
      items: ITEMS,
      fork_context: flag("Whether the agent gets the conversation so far. Default false."),
      model: text("Another model, if the user asks for one. Default: yours."),
      reasoning_effort: text("Another reasoning effort, if the user asks for one. Default: yours."),
    },
  ),
  wait_agent: spec(
    "wait_agent",
    "Waits until one of the agents is done, and returns the states of those that are done, with their answers. Do not wait if you have something else to do.",
    {
      targets: list({ type: "string" }, "The ids of the agents."),
      timeout_ms: number("How long to wait, in milliseconds. 10000 to 3600000, default 30000."),
    },
    ["targets"],
  ),
};

/**
 * Informs a model of the end of its agent. The text is JSON without angle brackets, so that an agent cannot end the tag
 * and write as the user.
 */
export function agentNote(id: string, status: unknown): string {
  const told = JSON.stringify({ agent_id: id, status }).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return `<subagent_notification>\n${told}\n</subagent_notification>`;
}
