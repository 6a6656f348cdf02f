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
    "asks before a command that exceeds the sandbox, and runs it once accepted",
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
    "does not ask again for the same command after it was accepted for the session",
    asking([TOUCH, TOUCH, DONE, TOUCH, DONE], "acceptForSession", async ({ asked, thread }) => {
      await thread.run("go");
      await thread.run("again");
      expectMatch(asked.length, 1, "the number of requests");
    }),
  ),
  scenario(
    "approval.decline",
    "does not run a declined command, tells the model, and continues the turn",
    asking([TOUCH, DONE], "decline", async ({ world, thread }) => {
      const { items, agentMessage } = await thread.run("go");
      expectMatch(ofType(items, "commandExecution"), [{ status: "declined", exitCode: null }], "the item");
      expectMatch(agentMessage, "done", "the answer");
      expectMatch(outputOf(world, "call_0_0"), /rejected by user/, "the output that the model received");
    }),
  ),
  scenario(
    "approval.cancel",
    "does not run a cancelled command, and interrupts the turn",
    asking([TOUCH], "cancel", async ({ world, thread }) => {
      await expectRejection(thread.run("go"), { code: "turn_interrupted" }, "the turn");
      expectMatch(world.model.requests.length, 1, "the number of model calls");
    }),
  ),
  scenario(
    "approval.nonsense",
    "fails or declines the command if the answer is an error or not a decision, and continues the turn",
    {
      model: [TOUCH, TOUCH, DONE],
      approvalPolicy: "on-request",
      sandbox: "read-only",
      run: async (world) => {
        const codex = await world.connect();
        let asked = 0;
        codex.onServerRequest("item/commandExecution/requestApproval", () => {
          if (asked++ === 0) throw new Error("no handler is available");
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
    "reports the thread as waiting for an approval; the item starts before the answer is reported and ends after it",
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
        "the item starts before the wait",
      );
      expectThat(
        seen.indexOf("resolved") < seen.indexOf("completed commandExecution"),
        "the item ends after the wait",
      );
    }),
    { since: "0.107.0" },
  ),
  scenario(
    "approval.item",
    "announces the item of a command before it asks about the command",
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
        expectMatch(told, ["started call_0_0", "asked for call_0_0"], "the order of the events");
      },
    },
    { since: "0.120.0" },
  ),
  scenario(
    "approval.never",
    "with policy `never`, asks no client; the model receives a rejection if a command needs to leave the sandbox",
    {
      model: [TOUCH, DONE],
      sandbox: "read-only",
      run: async (world) => {
        const codex = await world.connect();
        const { items, agentMessage } = await (await codex.startThread()).run("go");
        expectMatch(agentMessage, "done", "the answer");
        expectMatch(ofType(items, "commandExecution"), [], "the commands");
        expectMatch(
          outputOf(world, "call_0_0"),
          /approval policy is Never/i,
          "the output that the model received",
        );
      },
    },
  ),
  scenario(
    "approval.interrupt",
    "resolves the open approval when the turn is interrupted, and ignores a late answer",
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
          if (since(world, "0.107.0"))
            expectMatch(await resolved, { threadId: thread.id }, "the notifications");
          answer.resolve("accept");
          expectMatch(await thread.run("next"), { agentMessage: "done" }, "the next turn");
        },
      };
    },
  ),
];
