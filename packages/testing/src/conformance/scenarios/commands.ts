import type { CodexClient } from "codexwright/client";
import { gate } from "../../model-gate.ts";
import { exec, reply, type ModelItem } from "../../model-steps.ts";
import { expectMatch } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { ofType, scenario } from "../steps.ts";
import { outputOf } from "./asking.ts";

const DONE = reply("done");

/**
 * Gives the server time to listen to the command. If a command prints earlier, older servers omit that output from the
 * item. Newer servers omit it only from the deltas.
 */
const LISTENED = "sleep 0.5; ";

/**
 * A model answer that waits until the server has reported the end of a command. From 0.130 to 0.145, the turn could
 * otherwise end first.
 */
function afterCommand(): {
  readonly answer: readonly ModelItem[];
  readonly told: (codex: CodexClient) => void;
} {
  const held = gate();
  return {
    answer: [held, DONE],
    told: (codex) => {
      codex.onNotification("item/completed", ({ item }) => {
        if (item.type === "commandExecution") held.open();
      });
    },
  };
}

export const COMMANDS: readonly Scenario[] = [
  scenario(
    "command.run",
    "runs a command in the thread's folder; its item has the command, output and exit code",
    () => {
      const { answer, told } = afterCommand();
      return {
        model: [exec(`${LISTENED}echo one; echo two`, { output: "one\ntwo\n" }), answer],
        run: async (world) => {
          const codex = await world.connect();
          told(codex);
          const { items } = await (await codex.startThread()).run("go");
          const [command] = ofType(items, "commandExecution");
          expectMatch(
            command,
            {
              id: "call_0_0",
              command: /echo one; echo two/,
              cwd: world.workspace,
              status: "completed",
              exitCode: 0,
              aggregatedOutput: "one\ntwo\n",
            },
            "the item",
          );
          expectMatch(outputOf(world, "call_0_0"), /one\ntwo/, "the output that the model received");
        },
      };
    },
  ),
  scenario(
    "command.fails",
    "reports a failed command as an item with its exit code, and continues the turn",
    () => {
      const { answer, told } = afterCommand();
      return {
        model: [exec(`${LISTENED}echo wrong; exit 3`, { output: "wrong\n", exitCode: 3 }), answer],
        run: async (world) => {
          const codex = await world.connect();
          told(codex);
          const { items, agentMessage } = await (await codex.startThread()).run("go");
          expectMatch(
            ofType(items, "commandExecution"),
            [{ status: "failed", exitCode: 3, aggregatedOutput: "wrong\n" }],
            "the item",
          );
          expectMatch(agentMessage, "done", "the answer");
        },
      };
    },
  ),
  scenario(
    "command.output",
    "streams the output of a command while it runs, and the deltas add up to the item's output",
    () => {
      const held = gate();
      const { answer, told } = afterCommand();
      const cmd = `${LISTENED}echo first; while [ ! -e go ]; do sleep 0.02; done; echo second`;
      return {
        model: [exec(cmd, { output: ["first\n", "second\n"], until: held }), answer],
        run: async (world) => {
          const codex = await world.connect();
          told(codex);
          const turn = (await codex.startThread()).turn("go");
          let streamed = "";
          for await (const event of turn) {
            if (event.method !== "item/commandExecution/outputDelta") continue;
            streamed += event.params.delta;
            // The command continues only once its first line was seen.
            if (!streamed.startsWith("first\n")) continue;
            held.open();
            await codex.fs.writeFile(`${world.workspace}/go`, "");
          }
          const [command] = ofType((await turn.completed).items, "commandExecution");
          expectMatch(command?.aggregatedOutput, "first\nsecond\n", "the item's output");
          expectMatch(streamed, /^first\n(second\n)?$/, "the streamed output");
        },
      };
    },
    { since: "0.115.0" },
  ),
];
