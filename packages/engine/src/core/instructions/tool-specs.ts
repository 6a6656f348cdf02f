import type { WireObject } from "../wire-object.ts";

/** A tool in the form of the Responses API. */
export function spec(
  name: string,
  description: string,
  properties: WireObject,
  required: readonly string[] = [],
): WireObject {
  return { type: "function", name, description, strict: false, parameters: object(properties, required) };
}

function object(properties: WireObject, required: readonly string[]): WireObject {
  return { type: "object", properties, required, additionalProperties: false };
}

export const text = (description: string): WireObject => ({ type: "string", description });
export const number = (description: string): WireObject => ({ type: "number", description });
export const flag = (description: string): WireObject => ({ type: "boolean", description });
export const list = (items: WireObject, description: string): WireObject => ({
  type: "array",
  items,
  description,
});

const YIELD_MS = "How long to wait for output, in milliseconds.";
const MAX_TOKENS = number(
  "The most tokens of output to return; the middle of longer output is left out. Default 10000.",
);

export const EXEC_COMMAND: WireObject = spec(
  "exec_command",
  "Runs a shell command. Returns its output and exit code, or a session id if it still runs when the yield time is over; use that id with write_stdin.",
  {
    cmd: text("The command, as a shell script."),
    workdir: text("The folder to run it in. Default: the working directory."),
    shell: text("The shell that runs it. Default: the user's shell."),
    login: flag("Whether the shell is a login shell, which reads the user's profile. Default true."),
    tty: flag("Whether the command gets a terminal instead of pipes. Default false."),
    yield_time_ms: number(`${YIELD_MS} 250 to 30000, default 10000.`),
    max_output_tokens: MAX_TOKENS,
    sandbox_permissions: {
      type: "string",
      enum: ["use_default", "require_escalated"],
      description: '"require_escalated" asks to run it outside of the sandbox. Default "use_default".',
    },
    justification: text(
      'With "require_escalated": one short question that asks the user to allow the command.',
    ),
    prefix_rule: list(
      { type: "string" },
      'With "require_escalated": the first words of the command that the user may allow for good, such as ["npm", "test"].',
    ),
  },
  ["cmd"],
);

export const WRITE_STDIN: WireObject = spec(
  "write_stdin",
  "Writes to a running session of exec_command and returns what it printed since. Without chars it only waits and reads.",
  {
    session_id: number("The id that exec_command returned."),
    chars: text('The text to write, with "\\n" for Enter and "\\u0003" for Ctrl-C. Default: nothing.'),
    yield_time_ms: number(`${YIELD_MS} Default 250; without chars 5000 to 300000.`),
    max_output_tokens: MAX_TOKENS,
  },
  ["session_id"],
);

export const APPLY_PATCH: WireObject = spec(
  "apply_patch",
  "Changes files by a patch. The patch begins with *** Begin Patch and ends with *** End Patch. Between them are *** Add File: PATH with lines that begin with +, *** Delete File: PATH, and *** Update File: PATH (then *** Move to: PATH to rename it) with hunks: a line @@, or @@ and a line that occurs before the place (several such lines are found one after the other), then lines that begin with a space (context), - (removed) or + (added), then *** End of File if they are the last of the file. The whole patch is checked before a file changes.",
  { input: text("The whole patch.") },
  ["input"],
);

export const UPDATE_PLAN: WireObject = spec(
  "update_plan",
  "Shows the user your plan. Send the whole plan each time. At most one step is in progress.",
  {
    explanation: text("Why the plan changed, if it did."),
    plan: list(
      object(
        {
          step: text("A few words."),
          status: { type: "string", enum: ["pending", "in_progress", "completed"] },
        },
        ["step", "status"],
      ),
      "The steps in order.",
    ),
  },
  ["plan"],
);

export const VIEW_IMAGE: WireObject = spec(
  "view_image",
  "Shows you an image file (PNG, JPEG, GIF or WebP). Use it if you have to see the image.",
  { path: text("The path of the file, from the working directory or absolute.") },
  ["path"],
);

export const REQUEST_USER_INPUT: WireObject = spec(
  "request_user_input",
  "Asks the user one to three short questions and waits for the answers. Ask only what you cannot find out and what changes your work.",
  {
    questions: list(
      object(
        {
          id: text("A name for the answer, in snake_case."),
          header: text("A label of at most 12 characters."),
          question: text("One sentence."),
          options: list(
            object(
              { label: text("One to five words."), description: text("The consequence of this choice.") },
              ["label", "description"],
            ),
            "Two or three choices, the one that you recommend first. The user can always write another answer.",
          ),
        },
        ["id", "header", "question", "options"],
      ),
      "One to three questions.",
    ),
  },
  ["questions"],
);

export const REQUEST_PERMISSIONS: WireObject = spec(
  "request_permissions",
  "Asks the user to let your commands use the network, or to read or write more folders, for this turn or for the session.",
  {
    reason: text("Why, in one sentence."),
    permissions: object(
      {
        network: object({ enabled: flag("Whether the network is needed.") }, []),
        file_system: object(
          {
            read: list({ type: "string" }, "Folders to read."),
            write: list({ type: "string" }, "Folders to write."),
          },
          [],
        ),
      },
      [],
    ),
  },
  ["permissions"],
);

const MCP_CURSOR = text("The nextCursor of an earlier answer. Only with server.");
const MCP_SERVER = text("The name of the MCP server. Default: all servers.");

/** The tools that read what MCP servers offer. */
export const MCP_RESOURCE_SPECS: Readonly<Record<string, WireObject>> = {
  list_mcp_resources: optional(
    "list_mcp_resources",
    "Lists what MCP servers offer to read, such as files or tables. Prefer it to a search of the web.",
    { server: MCP_SERVER, cursor: MCP_CURSOR },
  ),
  list_mcp_resource_templates: optional(
    "list_mcp_resource_templates",
    "Lists templates of addresses that MCP servers can read, with parameters to fill in.",
    { server: MCP_SERVER, cursor: MCP_CURSOR },
  ),
  read_mcp_resource: spec(
    "read_mcp_resource",
    "Reads what an MCP server offers at an address.",
    {
      server: text("The name of the MCP server, as the list of resources has it."),
      uri: text("The address, as the list of resources has it."),
    },
    ["server", "uri"],
  ),
};

/** A tool without required arguments. */
function optional(name: string, description: string, properties: WireObject): WireObject {
  const parameters = { type: "object", properties, additionalProperties: false };
  return { type: "function", name, description, strict: false, parameters };
}
