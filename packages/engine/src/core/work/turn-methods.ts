import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import { compacting } from "./compaction.ts";
import { reviewHint, reviewing } from "./review.ts";
import { shellItem, shelling } from "./shell-command.ts";
import { checkCurrent } from "../threads/thread-config.ts";
import { changeSettings } from "../threads/thread-methods.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import { TurnRun } from "../turn/turn-run.ts";
import { answering, goingOn } from "./turn-work.ts";
import { checkInput } from "./user-input.ts";

/** The methods that start work on a thread or act on running work. */
export function turnMethods(host: ThreadsHost): Handlers {
  return {
    "turn/start": async ({ threadId, input, clientUserMessageId, outputSchema, ...params }, context) => {
      const thread = host.loaded.find(threadId);
      checkInput(input);
      checkCurrent(host, thread.settings.modelProvider);
      const said = { input, clientId: clientUserMessageId ?? null };
      const active = await thread.active();
      // Input of a review or a compaction would never reach the model.
      if (active && active.kind !== "turn" && active.kind !== "shell") throw notSteerable(active.kind);
      if (active && input.length === 0) {
        throw new ResponseError(-32603, "failed to submit turn input: EmptyInput");
      }
      changeSettings(thread, params)();
      if (active) {
        active.steer(said);
        const turn = active.acknowledged();
        if (!host.dialect.startsPhantoms) return { turn };
        const phantom = { ...turn, id: `${thread.record.turns.length}` };
        context.afterAnswer(() => thread.notify("turn/started", { threadId, turn: phantom }));
        return { turn: phantom };
      }
      host.loaded.warnOfModel(thread);
      const run = new TurnRun(host, thread, {
        kind: "turn",
        work: answering(said),
        more: goingOn,
        ...(outputSchema ? { outputSchema } : {}),
      });
      context.afterAnswer(() => host.loaded.launch(run));
      return { turn: run.acknowledged() };
    },
    "turn/steer": async ({ threadId, input, expectedTurnId, clientUserMessageId }, context) => {
      const thread = host.loaded.find(threadId);
      checkInput(input);
      if (expectedTurnId === "") throw new ResponseError(-32600, "expectedTurnId must not be empty");
      const run = await thread.active();
      if (!run) throw new ResponseError(-32600, "no active turn to steer");
      if (run.kind !== "turn") throw notSteerable(run.kind === "review" ? "review" : "compact");
      if (run.id !== expectedTurnId) {
        throw new ResponseError(
          -32600,
          `expected active turn id \`${expectedTurnId}\` but found \`${run.id}\``,
        );
      }
      if (input.length === 0) throw new ResponseError(-32600, "input must not be empty");
      context.afterAnswer(() => run.steer({ input, clientId: clientUserMessageId ?? null }));
      return { turnId: run.id };
    },
    "turn/interrupt": async ({ threadId, turnId }, context) => {
      const thread = host.loaded.find(threadId);
      const run = await thread.active();
      if (!run) throw new ResponseError(-32600, "no active turn to interrupt");
      if (turnId !== "" && run.activeId !== turnId) {
        throw new ResponseError(-32600, `expected active turn id ${turnId} but found ${run.activeId}`);
      }
      const answered = await run.interrupt();
      context.afterAnswer(answered);
      return {};
    },
    "review/start": async ({ threadId, target }, context) => {
      const thread = host.loaded.find(threadId);
      checkCurrent(host, thread.settings.modelProvider);
      const hint = reviewHint(target);
      await replaced(thread);
      const run = new TurnRun(host, thread, {
        kind: "review",
        work: reviewing(target),
        more: goingOn,
        quiet: true,
      });
      context.afterAnswer(() => {
        host.loaded.warnOfModel(thread);
        host.loaded.launch(run);
      });
      const content = [{ type: "text" as const, text: hint, text_elements: [] }];
      const said = { type: "userMessage" as const, id: run.id, clientId: null, content };
      return {
        reviewThreadId: thread.id,
        turn: {
          ...run.acknowledged(),
          rootTurnId: null,
          items: [{ ...said, startedAtMs: null, completedAtMs: null }],
        },
      };
    },
    "thread/compact/start": async ({ threadId }, context) => {
      const thread = host.loaded.find(threadId);
      checkCurrent(host, thread.settings.modelProvider);
      await replaced(thread);
      const run = new TurnRun(host, thread, { kind: "compact", work: compacting, more: goingOn });
      context.afterAnswer(() => host.loaded.launch(run));
      return {};
    },
    "thread/shellCommand": async ({ threadId, command: script, timeoutMs }, context) => {
      const thread = host.loaded.find(threadId);
      if (typeof timeoutMs === "number" && timeoutMs < 0) {
        throw new ResponseError(
          -32602,
          `thread/shellCommand timeoutMs must be non-negative, got ${timeoutMs}`,
        );
      }
      const command = { script, timeoutMs };
      if (script.trim() === "") throw new ResponseError(-32600, "command must not be empty");
      const active = await thread.active();
      context.afterAnswer(() => {
        if (active && thread.turn === active) {
          shellItem(thread, active, command).catch((error: unknown) => host.failed(error));
        } else
          host.loaded.launch(
            new TurnRun(host, thread, { kind: "shell", work: shelling(command), more: goingOn }),
          );
      });
      return {};
    },
  };
}

/** Interrupts the running turn, if any: a thread has one turn at a time. */
async function replaced(thread: LoadedThread): Promise<void> {
  for (let turn = await thread.active(); turn; turn = await thread.active()) await turn.interruptForGood();
}

function notSteerable(turnKind: "review" | "compact"): ResponseError {
  const message = `cannot steer a ${turnKind} turn`;
  return new ResponseError(-32600, message, {
    message,
    codexErrorInfo: { activeTurnNotSteerable: { turnKind } },
    additionalDetails: null,
    misalignment: null,
  });
}
