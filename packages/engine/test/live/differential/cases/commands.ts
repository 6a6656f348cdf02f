import { existsSync } from "node:fs";
import path from "node:path";
import { exec, gate, plan, reply, toolCall, type ModelRequest, type Scenario } from "@codexwright/testing";
import { until } from "@codexwright/test-support/events";
import { ask, differential, heard, run, sessionIn, steps, turns } from "./case.ts";

const DONE = reply("done");
/** Output that is printed before the server listens is in the item only, so commands wait a moment first. */
const LISTENED = "sleep 0.4; ";

function stdin(call: string, args: object): (request: ModelRequest) => ReturnType<typeof toolCall> {
  return ({ toolOutputs }) => toolCall("write_stdin", { session_id: sessionIn(toolOutputs[call]), ...args });
}

/** Commands of the model: their items, sessions and outputs. */
export const COMMANDS: readonly Scenario[] = [
  differential(
    "command.ends",
    "a command",
    turns({ model: [exec(`${LISTENED}echo out; sleep 0.1; echo err >&2`), DONE, DONE] }, ["one", "two"]),
  ),
  differential(
    "command.exit-code",
    "a command that fails",
    turns({ model: [exec(`${LISTENED}echo wrong; exit 3`), DONE] }),
  ),
  differential(
    "command.quick",
    "a command that ends at once without output",
    turns({ model: [exec("true"), DONE] }),
  ),
  differential(
    "command.missing",
    "a command that does not exist",
    turns({ model: [exec(`${LISTENED}no-such-program-here`), DONE] }),
  ),
  differential(
    "command.signal",
    "a command that a signal ends",
    turns({ model: [exec(`${LISTENED}kill -9 $$`), DONE] }),
  ),
  differential(
    "command.workdir",
    "a command in another folder",
    steps(
      {
        model: [
          exec(`${LISTENED}pwd`, { workdir: "sub" }),
          exec("pwd", { workdir: "/no/such/folder" }),
          DONE,
        ],
      },
      async (codex, world) => {
        await codex.fs.createDirectory(`${world.workspace}/sub`);
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "command.no-login",
    "a command without a login shell, and one with another shell",
    turns({
      model: [
        exec(`${LISTENED}echo $0`, { args: { login: false } }),
        exec(`${LISTENED}echo $0`, { args: { shell: "/bin/sh" } }),
        DONE,
      ],
    }),
  ),
  differential(
    "command.long-output",
    "a command whose output exceeds its budget",
    turns({ model: [exec(`${LISTENED}seq 1 5000`, { args: { max_output_tokens: 50 } }), DONE] }),
  ),
  differential(
    "command.read",
    "commands that read, list and search have actions",
    steps(
      {
        model: [
          exec("cat a.txt"),
          exec("ls sub"),
          exec("grep -rn needle sub"),
          exec("head -n 3 a.txt"),
          exec("sed -n 1,2p a.txt"),
          exec("cd sub && cat b.txt"),
          DONE,
        ],
      },
      async (codex, world) => {
        await codex.fs.createDirectory(`${world.workspace}/sub`);
        await codex.fs.writeFile(`${world.workspace}/a.txt`, "one\ntwo\n");
        await codex.fs.writeFile(`${world.workspace}/sub/b.txt`, "needle\n");
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "command.env",
    "the environment of a command",
    turns({
      model: [
        exec(
          `${LISTENED}env | grep -E '^(CODEX_[^H]|NO_COLOR|PAGER|GIT_PAGER|GH_PAGER|LC_|LANG)' | sed -E 's/[0-9a-f-]{36}/ID/' | sort`,
        ),
        DONE,
      ],
    }),
  ),
  differential(
    "command.parallel",
    "two commands of one response",
    turns({ model: [[exec(`${LISTENED}echo one`), exec(`${LISTENED}echo two`)], DONE] }),
  ),
  differential(
    "command.yield",
    "a command that still runs when its tool returns, and ends after the turn",
    () => {
      return steps(
        {
          model: [
            exec("sleep 1; while [ ! -e go ]; do sleep 0.05; done; echo went", {
              args: { yield_time_ms: 300 },
            }),
            DONE,
            DONE,
          ],
        },
        async (codex, world) => {
          const thread = await codex.startThread();
          await run(thread, "one");
          await ask(codex, "thread/backgroundTerminals/list", { threadId: thread.id });
          const ended = heard(codex, "item/completed", ({ item }) => item.type === "commandExecution");
          await codex.fs.writeFile(`${world.workspace}/go`, "");
          await ended;
          await ask(codex, "thread/backgroundTerminals/list", { threadId: thread.id });
          await run(thread, "two");
        },
      );
    },
  ),
  differential(
    "command.stdin",
    "input for a command that waits for it",
    turns({
      model: [
        exec('read -r line; sleep 0.4; echo "got $line"', { args: { yield_time_ms: 300, tty: true } }),
        stdin("call_0_0", { chars: "hello\n", yield_time_ms: 3000 }),
        DONE,
      ],
    }),
  ),
  differential(
    "command.poll",
    "a poll of a command that runs",
    turns({
      model: [
        exec("sleep 1; echo late", { args: { yield_time_ms: 300 } }),
        stdin("call_0_0", { yield_time_ms: 5000 }),
        DONE,
      ],
    }),
  ),
  differential(
    "command.interrupt-key",
    "Ctrl-C for a command with a terminal",
    turns({
      model: [
        exec("sleep 100", { args: { yield_time_ms: 500, tty: true } }),
        stdin("call_0_0", { chars: "\u0003", yield_time_ms: 3000 }),
        DONE,
      ],
    }),
  ),
  differential(
    "command.stdin-closed",
    "input for a command without a terminal",
    turns({
      model: [
        exec("cat; sleep 30", { args: { yield_time_ms: 300 } }),
        stdin("call_0_0", { chars: "hello\n", yield_time_ms: 1000 }),
        DONE,
      ],
    }),
  ),
  differential(
    "command.unknown-session",
    "input for a command that does not exist",
    turns({ model: [toolCall("write_stdin", { session_id: 4711, chars: "x" }), DONE] }),
  ),
  differential("command.interrupted", "an interrupt while a command runs, and the end of its terminal", () =>
    steps(
      { model: [exec("echo it-has-begun; touch begun; sleep 100"), DONE] },
      async (codex, { workspace }) => {
        const thread = await codex.startThread();
        const started = heard(codex, "item/started", ({ item }) => item.type === "commandExecution");
        const turn = thread.turn("one");
        await started;
        await until(() => existsSync(path.join(workspace, "begun")));
        await turn.interrupt();
        await turn.completed.catch(() => {});
        await ask(codex, "thread/backgroundTerminals/list", { threadId: thread.id });
        const ended = heard(codex, "item/completed", ({ item }) => item.type === "commandExecution");
        await ask(codex, "thread/backgroundTerminals/clean", { threadId: thread.id });
        await ended;
        await run(thread, "two");
      },
    ),
  ),
  differential(
    "command.unknown-tool",
    "a tool that does not exist, and arguments that are not JSON",
    turns({
      model: [
        toolCall("no_such_tool", { a: 1 }),
        toolCall("exec_command", "{not json"),
        toolCall("exec_command", { command: "no cmd" }),
        toolCall("exec_command", []),
        DONE,
      ],
    }),
  ),
  differential(
    "plan.updated",
    "a plan",
    turns({
      model: [
        plan(
          [
            { step: "look", status: "completed" },
            { step: "leap", status: "in_progress" },
          ],
          { explanation: "why" },
        ),
        plan([]),
        DONE,
      ],
      modelTools: ["update_plan"],
    }),
  ),
  differential(
    "plan.wrong",
    "a plan with a wrong status",
    turns({
      model: [toolCall("update_plan", { plan: [{ step: "look", status: "maybe" }] }), DONE],
      modelTools: ["update_plan"],
    }),
  ),
  differential("shell.user", "a command of the user on an idle thread, which the model is told of", () =>
    steps({ model: [DONE, DONE] }, async (codex) => {
      const thread = await codex.startThread();
      await run(thread, "one");
      const ended = heard(codex, "turn/completed");
      await ask(codex, "thread/shellCommand", {
        threadId: thread.id,
        command: `${LISTENED}echo from the user; exit 4`,
      });
      await ended;
      await run(thread, "two");
    }),
  ),
  differential("shell.user-in-turn", "a command of the user while a turn runs", () => {
    const held = gate();
    return steps({ model: ({ index }) => (index === 0 ? [held, reply("one")] : DONE) }, async (codex) => {
      const thread = await codex.startThread();
      const turn = thread.turn("one");
      await held.reached;
      await turn.started;
      const ended = heard(codex, "item/completed", ({ item }) => item.type === "commandExecution");
      await ask(codex, "thread/shellCommand", { threadId: thread.id, command: `${LISTENED}echo aside` });
      await ended;
      held.open();
      await turn.completed.catch(() => {});
      await run(thread, "two");
    });
  }),
];
