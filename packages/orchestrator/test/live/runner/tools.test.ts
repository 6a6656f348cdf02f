import { describe, expect } from "vitest";
import { exec, reply, toolCall, type ModelRequest } from "@codexwright/testing";
import { jsonSchema, tool, type Tool } from "codexwright";
import { TrackerError, type Issue } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { runWorld } from "../../support/run-world.ts";

// Codex removes variables from commands by their names, such as those with TOKEN. Not this one.
const VARIABLE = "CODEXWRIGHT_TEST_CREDENTIAL";
const SECRET = "s3cr3t-value";

interface Call {
  readonly issue: Issue;
  readonly text: string;
  readonly credential: string | undefined;
}

/** A tool of a tracker that needs its credential. */
function commentTool(issue: Issue, calls: Call[]): Tool {
  return tool({
    name: "issue_comment",
    description: "Adds a comment to the issue.",
    input: jsonSchema<{ text: string }>({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    }),
    run: ({ text }) => {
      if (text === "fail") throw new TrackerError("tracker_request", "the tracker cannot be reached");
      if (text === "login") throw new TrackerError("missing_tracker_secret", "the tracker needs a login");
      calls.push({ issue, text, credential: process.env[VARIABLE] });
      return `comment on ${JSON.stringify(issue.native_ref)}`;
    },
  });
}

/** The results that the model received for its calls. */
function outputsOf(request: ModelRequest | undefined): readonly string[] {
  const input = (request?.body["input"] ?? []) as readonly {
    readonly type: string;
    readonly output?: unknown;
  }[];
  return input
    .filter(({ type }) => type === "function_call_output")
    .map(({ output }) => JSON.stringify(output));
}

describe("the tools of a tracker", () => {
  verifies(
    [
      "symphony.17.5.tools-host",
      "symphony.17.5.tools-context",
      "symphony.17.5.tools-failures",
      "symphony.17.5.tools-secrets",
      "symphony.17.5.unsupported-tool",
      "symphony.17.6.summaries",
      "spec001.tool-call",
      "spec001.environment",
    ],
    "act in our process with the credential, and their failures do not end the turn",
    async () => {
      process.env[VARIABLE] = SECRET;
      try {
        await using world = await runWorld([
          toolCall("issue_comment", { text: "hello" }),
          toolCall("issue_comment", { words: 1 }),
          toolCall("issue_comment", { text: "fail" }),
          toolCall("issue_comment", { text: "login" }),
          toolCall("no_such_tool", {}),
          exec("env; tr '\\\\0' '\\\\n' < /proc/$PPID/environ"),
          reply("done"),
          exec("env"),
          reply("done"),
        ]);
        const calls: Call[] = [];
        const tools = (issue: Issue): readonly Tool[] => [commentTool(issue, calls)];
        const native_ref = { node: "I_kwDO", number: 7 };
        const run = await world.run({ issue: { native_ref }, tools, secretEnv: [VARIABLE] });
        expect(run.outcome.kind).toBe("completed");
        expect(calls).toMatchObject([{ issue: { native_ref }, text: "hello", credential: SECRET }]);
        const outputs = outputsOf(world.model.requests[6]);
        expect(outputs).toMatchObject([
          expect.stringContaining("I_kwDO") as string,
          expect.stringContaining("Invalid arguments") as string,
          expect.stringContaining("the tracker cannot be reached") as string,
          expect.stringContaining("the tracker needs a login") as string,
          expect.stringContaining("no_such_tool") as string,
          expect.stringContaining("PATH=") as string,
        ]);
        expect(outputs.some((output) => output.includes(SECRET))).toBe(false);
        expect(run.messages).toEqual(
          expect.arrayContaining(["message: done", expect.stringMatching(/^tool\.started: /) as string]),
        );

        // Without the name of the variable, the command has it.
        await world.run({ issue: { native_ref }, tools });
        expect(outputsOf(world.model.requests.at(-1)).at(-1)).toContain(SECRET);
      } finally {
        delete process.env[VARIABLE];
      }
    },
    PINNED,
  );

  verifies(
    "fleet.runner.stalled",
    "hold the clock of silence while they run",
    async () => {
      const silences: number[] = [];
      let looked = (): void => {};
      const slow = tool({
        name: "slow",
        description: "Takes long.",
        input: jsonSchema({ type: "object", properties: {} }),
        run: async () => {
          silences.length = 0;
          await new Promise<void>((resolve) => {
            looked = resolve;
          });
          return "done";
        },
      });
      await using world = await runWorld([toolCall("slow", {}), reply("done")]);
      const silence = (ms: number): void => void (silences.push(ms) === 3 && looked());
      const run = await world.run({ tools: [slow], silence });
      expect(run.outcome.kind).toBe("completed");
      expect(silences.slice(0, 3)).toEqual([0, 0, 0]);
    },
    PINNED,
  );
});
