import { exec, reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { deferred, heard, ofType, scenario, since } from "../steps.ts";
import { asking, outputOf } from "./asking.ts";

const TOUCH = exec("touch a.txt", { justification: "needs a file" });
const DONE = reply("done");

export const APPROVALS: readonly Scenario[] = [
  scenario(
    "approval.accept",
    "a command that needs more than the sandbox is asked for, and runs once accepted",
    asking([TOUCH, DONE], "accept", async ({ world, asked, thread }) => {
      const { items } = await thread.run("go");
      expectMatch(
        asked,
        [
          {
            kind: "command",
            threadId: thread.id,
            itemId: "call_0_0",
            reason: "needs a file",
            cwd: world.workspace,
          },
        ],
        "the requests",
      );
      expectMatch(ofType(items, "commandExecution"), [{ status: "completed", exitCode: 0 }], "the item");
    }),
  ),
  scenario(
    "approval.session",
    "accepted for the session, the same command is not asked for again",
    asking([TOUCH, TOUCH, DONE, TOUCH, DONE], "acceptForSession", async ({ asked, thread }) => {
      await thread.run("go");
      await thread.run("again");
      expectMatch(asked.length, 1, "the number of requests");
    }),
  ),
  scenario(
    "approval.decline",
    "a declined command does not run, the model is told, and the turn goes on",
    asking([TOUCH, DONE], "decline", async ({ world, thread }) => {
      const { items, agentMessage } = await thread.run("go");
      expectMatch(ofType(items, "commandExecution"), [{ status: "declined", exitCode: null }], "the item");
      expectMatch(agentMessage, "done", "the answer");
      expectMatch(outputOf(world, "call_0_0"), /rejected by user/, "what the model was told");
    }),
  ),
  scenario(
    "approval.cancel",
    "a cancelled command does not run, and the turn is interrupted",
    asking([TOUCH], "cancel", async ({ world, thread }) => {
      await expectRejection(thread.run("go"), { code: "turn_interrupted" }, "the turn");
      expectMatch(world.model.requests.length, 1, "the number of model calls");
    }),
  ),
  scenario(
    "approval.nonsense",
    "an answer that is an error or not a decision fails or declines the command, and the turn goes on",
    {
      model: [TOUCH, TOUCH, DONE],
      approvalPolicy: "on-request",
      sandbox: "read-only",
      run: async (world) => {
        const codex = await world.connect();
        let asked = 0;
        codex.onServerRequest("item/commandExecution/requestApproval", () => {
          if (asked++ === 0) throw new Error("nobody is here");
          return { decision: "approved" as "accept" };
        });
        const { items, agentMessage } = await (await codex.startThread()).run("go");
        expectMatch(
          ofType(items, "commandExecution"),
          [{ status: "failed" }, { status: since(world, "0.145.0") ? "failed" : "declined" }],
          "the items",
        );
        expectMatch(agentMessage, "done", "the answer");
      },
    },
  ),
  scenario(
    "approval.status",
    "while it waits the thread is told as waiting, the item is there, and an answer is told as resolved",
    asking([TOUCH, DONE], "decline", async ({ codex, thread }) => {
      const seen: string[] = [];
      codex.onNotification("thread/status/changed", ({ status }) =>
        seen.push(status.type === "active" ? `active ${status.activeFlags.join()}` : status.type),
      );
      codex.onNotification("item/started", ({ item }) => seen.push(`started ${item.type}`));
      codex.onNotification("item/completed", ({ item }) => seen.push(`completed ${item.type}`));
      codex.onNotification("serverRequest/resolved", () => seen.push("resolved"));
      await thread.run("go");
      const from = seen.indexOf("active waitingOnApproval");
      expectThat(from !== -1, "the thread waits for the approval");
      expectThat(
        seen.indexOf("started commandExecution") < seen.indexOf("resolved"),
        "the item starts before",
      );
      expectThat(seen.indexOf("resolved") < seen.indexOf("completed commandExecution"), "and ends after");
    }),
    { since: "0.107.0" },
  ),
  scenario(
    "approval.item",
    "the item of a command is told before the command is asked for",
    {
      model: [TOUCH, DONE],
      approvalPolicy: "on-request",
      sandbox: "read-only",
      run: async (world) => {
        const told: string[] = [];
        const codex = await world.connect({
          onApproval: ({ itemId }) => {
            told.push(`asked for ${itemId}`);
            return "decline";
          },
        });
        codex.onNotification("item/started", ({ item }) => {
          if (item.type === "commandExecution") told.push(`started ${item.id}`);
        });
        await (await codex.startThread()).run("go");
        expectMatch(told, ["started call_0_0", "asked for call_0_0"], "what is told");
      },
    },
    { since: "0.120.0" },
  ),
  scenario(
    "approval.never",
    "under policy never nobody is asked: a command that wants out of the sandbox is refused to the model",
    {
      model: [TOUCH, DONE],
      sandbox: "read-only",
      run: async (world) => {
        const codex = await world.connect();
        const { items, agentMessage } = await (await codex.startThread()).run("go");
        expectMatch(agentMessage, "done", "the answer");
        expectMatch(ofType(items, "commandExecution"), [], "the commands");
        expectMatch(outputOf(world, "call_0_0"), /approval policy is Never/i, "what the model was told");
      },
    },
  ),
  scenario(
    "approval.interrupt",
    "interrupting a turn resolves its open approval, and a late answer harms nothing",
    () => {
      const open = deferred();
      const answer = deferred<"accept">();
      return {
        model: [TOUCH, DONE],
        approvalPolicy: "on-request",
        sandbox: "read-only",
        run: async (world) => {
          const codex = await world.connect({
            onApproval: () => {
              open.resolve();
              return answer.promise;
            },
          });
          const thread = await codex.startThread();
          const turn = thread.turn("go");
          const interrupted = expectRejection(turn.completed, { code: "turn_interrupted" }, "the turn");
          await open.promise;
          const resolved = heard(codex, "serverRequest/resolved");
          await turn.interrupt();
          await interrupted;
          if (since(world, "0.107.0")) expectMatch(await resolved, { threadId: thread.id }, "what is told");
          answer.resolve("accept");
          expectMatch(await thread.run("next"), { agentMessage: "done" }, "the next turn");
        },
      };
    },
  ),
];
