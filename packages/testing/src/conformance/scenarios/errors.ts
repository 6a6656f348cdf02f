import { fail, reply, streamFail, truncate, type ModelItem } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat, type Pattern } from "../expect.ts";
import type { Scenario, ScenarioRun } from "../scenario.ts";
import { collect, scenario } from "../steps.ts";

/** A turn that fails with this error, followed by a turn that succeeds. */
export function failing(item: ModelItem, info: Pattern): ScenarioRun {
  return {
    model: [item, reply("back again")],
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread();
      const errors = collect(codex, "error");
      const ended = collect(codex, "turn/completed");
      await expectRejection(thread.run("go"), { code: "turn_failed", codexErrorInfo: info }, "the turn");
      const final = errors.filter(({ params }) => !params.willRetry);
      expectMatch(
        final,
        [{ params: { threadId: thread.id, error: { codexErrorInfo: info } } }],
        "the errors",
      );
      expectMatch(ended, [{ params: { turn: { status: "failed", items: [] } } }], "the ends of turns");
      expectMatch(
        ended[0]?.params.turn.error?.message,
        final[0]?.params.error.message ?? "",
        "the message at the end",
      );
      expectMatch(await thread.run("again"), { agentMessage: "back again" }, "the next turn");
    },
  };
}

export const ERRORS: readonly Scenario[] = [
  scenario(
    "error.server",
    "fails the turn with an internal server error if the model answers 500, and runs the next turn",
    failing(fail(500), "internalServerError"),
  ),
  scenario(
    "error.unauthorized",
    "fails the turn with the status if the model answers 401",
    failing(fail(401), { httpConnectionFailed: { httpStatusCode: 401 } }),
    { since: "0.158.0" },
  ),
  scenario(
    "error.rate-limit",
    "fails the turn with the status if the model answers 429",
    failing(fail(429), { responseTooManyFailedAttempts: { httpStatusCode: 429 } }),
  ),
  scenario(
    "error.usage-limit",
    "fails the turn with the reason if the model answers 429 because the quota is used up",
    failing(fail(429, { code: "usage_limit_reached" }), "usageLimitExceeded"),
  ),
  scenario(
    "error.overloaded",
    "fails the turn with the reason if the model answers 503 because it is overloaded",
    failing(fail(503, { code: "server_is_overloaded" }), "serverOverloaded"),
    { since: "0.100.0" },
  ),
  scenario(
    "error.bad-request",
    "fails the turn with the model's message if the model answers 400",
    failing(fail(400, { message: "no such thing" }), "other"),
  ),
  scenario(
    "error.context-window",
    "fails the turn with the reason if the stream fails because the context is full",
    {
      model: [streamFail("context_length_exceeded")],
      run: async (world) => {
        const codex = await world.connect();
        await expectRejection(
          (await codex.startThread()).run("go"),
          { code: "turn_failed", codexErrorInfo: "contextWindowExceeded" },
          "the turn",
        );
      },
    },
  ),
  scenario(
    "error.cut",
    "fails the turn if the stream ends before the response is complete",
    failing(truncate("half of a"), "other"),
  ),
  scenario(
    "error.status",
    "leaves the thread in an error state after a failed turn until the next turn",
    {
      model: [fail(500), reply("back again")],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const states = collect(codex, "thread/status/changed");
        await expectRejection(thread.run("go"), { code: "turn_failed" }, "the turn");
        expectMatch(await thread.read(), { status: { type: "systemError" } }, "the thread");
        await thread.run("again");
        expectMatch(
          states.map(({ params }) => params.status.type),
          ["active", "systemError", "active", "idle"],
          "the states",
        );
      },
    },
    { since: "0.105.0" },
  ),
  scenario(
    "error.retry",
    "retries a broken stream, reports it as an error that will be retried, and continues the turn",
    {
      model: [truncate("half of a"), reply("whole")],
      streamRetries: 2,
      run: async (world) => {
        const codex = await world.connect();
        const errors = collect(codex, "error");
        const { agentMessage } = await (await codex.startThread()).run("go");
        expectMatch(agentMessage, "whole", "the answer");
        expectMatch(
          errors,
          [{ params: { willRetry: true, error: { message: /^Reconnecting\.\.\. 1\/2/ } } }],
          "the errors",
        );
        expectThat(world.model.requests.length === 2, "the model was called twice");
      },
    },
  ),
];
