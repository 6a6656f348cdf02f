import { fail, reply, streamFail, truncate, type ModelItem } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat, type Pattern } from "../expect.ts";
import type { Scenario, ScenarioRun } from "../scenario.ts";
import { collect, scenario } from "../steps.ts";

/** A turn that fails so, and the next one that does not. */
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
    "a model that answers 500 fails the turn as an internal server error, and the next one runs",
    failing(fail(500), "internalServerError"),
  ),
  scenario(
    "error.unauthorized",
    "a model that answers 401 fails the turn with the status",
    failing(fail(401), { httpConnectionFailed: { httpStatusCode: 401 } }),
    { since: "0.158.0" },
  ),
  scenario(
    "error.rate-limit",
    "a model that answers 429 fails the turn with the status",
    failing(fail(429), { responseTooManyFailedAttempts: { httpStatusCode: 429 } }),
  ),
  scenario(
    "error.usage-limit",
    "a model that answers 429 because the account is used up fails the turn for that",
    failing(fail(429, { code: "usage_limit_reached" }), "usageLimitExceeded"),
  ),
  scenario(
    "error.overloaded",
    "a model that answers 503 because it is overloaded fails the turn for that",
    failing(fail(503, { code: "server_is_overloaded" }), "serverOverloaded"),
    { since: "0.100.0" },
  ),
  scenario(
    "error.bad-request",
    "a model that answers 400 fails the turn with what it said",
    failing(fail(400, { message: "no such thing" }), "other"),
  ),
  scenario(
    "error.context-window",
    "a stream that fails because the context is full fails the turn for that",
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
    "a stream that ends before the response is complete fails the turn",
    failing(truncate("half of a"), "other"),
  ),
  scenario(
    "error.status",
    "a failed turn leaves the thread in an error state until the next one",
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
    "a broken stream is tried again, which is told as an error that will be retried, and the turn goes on",
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
        expectThat(world.model.requests.length === 2, "the model was asked twice");
      },
    },
  ),
];
