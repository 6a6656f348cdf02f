import { InvalidArgumentError, jsonSchema, tool, type Tool } from "codexwright";
import type { IssueUpdate } from "./edit.ts";
import type { Updates } from "./update.ts";

const LONGEST_STATE = 100;
const LONGEST_COMMENT = 65_536;

const INPUT = jsonSchema<IssueUpdate>({
  type: "object",
  properties: {
    state: { type: "string", minLength: 1, maxLength: LONGEST_STATE, description: "The new state." },
    comment: {
      type: "string",
      minLength: 1,
      maxLength: LONGEST_COMMENT,
      description: "Markdown, appended to the text of the issue.",
    },
  },
  additionalProperties: false,
});

/** Returns the tool with which the agent of an issue changes this issue, and no other. */
export function updateTool(updates: Updates, id: string): Tool {
  return tool({
    name: "issue_update",
    description: "Updates the issue that you work on: sets its state, appends a comment, or both.",
    input: INPUT,
    effects: "external",
    run: async ({ state, comment }, { signal }) => {
      const update = { state: state?.trim(), comment: comment?.trim() };
      if (update.state === undefined && update.comment === undefined)
        throw new InvalidArgumentError("state or comment is required");
      if (update.state !== undefined && !/^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(update.state))
        throw new InvalidArgumentError("state must be one line without control characters");
      if (update.comment === "" || update.comment?.includes("\0"))
        throw new InvalidArgumentError("comment must be a text without NUL");
      return await updates.update(id, update, signal);
    },
  });
}
