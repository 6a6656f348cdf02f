import type { CodexClient } from "codexwright/client";
import { gate } from "../../model-gate.ts";
import { exec, reply, type ModelItem } from "../../model-steps.ts";
import { expectMatch } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { ofType, scenario } from "../steps.ts";
import { outputOf } from "./asking.ts";

const DONE = reply("done");

/** Older servers lose what a command prints before they listen to it: from its item, newer ones only from the deltas. */
const LISTENED = "sleep 0.5; ";

/** An answer that waits until the server has told the end of a command: from 0.130 to 0.145 the turn may end first. */
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
    "a command runs in the thread's folder; its item tells command, output and exit code",
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
          expectMatch(outputOf(world, "call_0_0"), /one\ntwo/, "what the model was told");
        },
      };
    },
  ),
  scenario(
    "command.fails",
    "a command that fails is an item with its exit code, and the turn goes on",
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
    "the output of a command is streamed while it runs, and adds up to the item's",
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
            // It runs on only once its first line was seen.
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
