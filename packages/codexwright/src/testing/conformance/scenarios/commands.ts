import { gate } from "../../model-gate.ts";
import { exec, reply } from "../../model-steps.ts";
import { expectMatch } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { ofType, scenario } from "../steps.ts";
import { outputOf } from "./asking.ts";

const DONE = reply("done");

export const COMMANDS: readonly Scenario[] = [
  scenario(
    "command.run",
    "CHECKLIST-003-004 line 16",
    "a command runs in the thread's folder; its item tells command, output and exit code",
    {
      model: [exec("echo one; echo two", { output: "one\ntwo\n" }), DONE],
      run: async (world) => {
        const codex = await world.connect();
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
    },
  ),
  scenario(
    "command.fails",
    "CHECKLIST-003-004 line 16",
    "a command that fails is an item with its exit code, and the turn goes on",
    {
      model: [exec("echo wrong; exit 3", { output: "wrong\n", exitCode: 3 }), DONE],
      run: async (world) => {
        const codex = await world.connect();
        const { items, agentMessage } = await (await codex.startThread()).run("go");
        expectMatch(
          ofType(items, "commandExecution"),
          [{ status: "failed", exitCode: 3, aggregatedOutput: "wrong\n" }],
          "the item",
        );
        expectMatch(agentMessage, "done", "the answer");
      },
    },
  ),
  scenario(
    "command.output",
    "CHECKLIST-003-004 line 16",
    "the output of a command is streamed while it runs, and adds up to the item's",
    () => {
      const held = gate();
      // What is printed before the server has begun to listen is not streamed, hence the pause.
      const cmd = "sleep 0.5; echo first; while [ ! -e go ]; do sleep 0.02; done; echo second";
      return {
        model: [exec(cmd, { output: ["first\n", "second\n"], until: held }), DONE],
        run: async (world) => {
          const codex = await world.connect();
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
