import {
  exec,
  fail,
  reply,
  streamFail,
  truncate,
  type ModelItem,
  type Scenario,
  type ScenarioSetup,
} from "@codexwright/testing";
import { ask, differential, run, steps, turns } from "./case.ts";

/** A turn that fails, and one after it. */
function failing(
  item: ModelItem | readonly ModelItem[],
  setup: Partial<ScenarioSetup> = {},
): ReturnType<typeof turns> {
  return turns({ model: [item, reply("back again")], ...setup }, ["one", "two"]);
}

/** Errors of the provider. */
export const ERRORS: readonly Scenario[] = [
  differential("refused.500", "500", failing(fail(500))),
  differential(
    "refused.503",
    "503 because the server is overloaded",
    failing(fail(503, { code: "server_is_overloaded" })),
  ),
  differential("refused.503-plain", "503 without a reason", failing(fail(503))),
  differential("refused.429", "429", failing(fail(429))),
  differential(
    "refused.429-quota",
    "429 because the quota is used up",
    failing(fail(429, { code: "insufficient_quota" })),
  ),
  differential(
    "refused.429-usage",
    "429 because the usage limit is reached",
    failing(fail(429, { code: "usage_limit_reached" })),
  ),
  differential("refused.400", "400", failing(fail(400, { message: "no such thing" }))),
  differential(
    "refused.400-context",
    "400 because the context is full",
    failing(fail(400, { code: "context_length_exceeded" })),
  ),
  differential("refused.401", "401", failing(fail(401))),
  differential("refused.403", "403", failing(fail(403))),
  differential("refused.404", "404", failing(fail(404))),
  differential(
    "refused.404-model",
    "404 because the model does not exist",
    failing(fail(404, { code: "model_not_found", message: "no model" })),
  ),
  differential("refused.408", "408", failing(fail(408))),
  differential(
    "failed.context",
    "a stream that fails because the context is full",
    turns({ model: [streamFail("context_length_exceeded", "too long")] }),
  ),
  differential(
    "failed.rate",
    "a stream that fails because of a rate limit",
    failing(streamFail("rate_limit_exceeded", "wait a while")),
  ),
  differential(
    "failed.overloaded",
    "a stream that fails because the server is overloaded",
    failing(streamFail("server_is_overloaded", "busy")),
  ),
  differential(
    "failed.quota",
    "a stream that fails because the quota is used up",
    failing(streamFail("insufficient_quota", "pay")),
  ),
  differential(
    "failed.policy",
    "a stream that fails because of a policy",
    failing(streamFail("cyber_policy", "no")),
  ),
  differential(
    "failed.other",
    "a stream that fails for an unknown reason",
    failing(streamFail("something_else", "odd")),
  ),
  differential(
    "failed.after-message",
    "a stream that fails after a whole message",
    failing([reply("whole"), streamFail("something_else", "odd")]),
  ),
  differential("cut.message", "a stream that ends in a message", failing(truncate("half of a"))),
  differential(
    "cut.items",
    "a message of a response that broke off never completes, and is not listed",
    steps({ model: [[reply("whole"), truncate("half")], reply("next")] }, async (codex) => {
      const thread = await codex.startThread();
      await run(thread, "one");
      await ask(codex, "thread/items/list", { threadId: thread.id });
      await ask(codex, "thread/turns/list", { threadId: thread.id, itemsView: "full" });
      await run(thread, "two");
    }),
  ),
  differential(
    "cut.dropped",
    "a connection that is lost in a message",
    failing(truncate("half of a", { drop: true })),
  ),
  differential(
    "cut.retried",
    "a stream that ends in a message and is retried",
    failing(truncate("half of a"), {
      model: [truncate("half of a"), reply("whole"), reply("next")],
      streamRetries: 2,
    }),
  ),
  differential(
    "cut.retried-twice",
    "a stream that ends in a message more often than it is retried",
    failing(truncate("half of a"), {
      model: [truncate("one"), truncate("two"), reply("next")],
      streamRetries: 1,
    }),
  ),
  differential(
    "cut.after-call",
    "a stream that ends after a call; the call is not made again",
    turns(
      {
        model: [
          [exec("sleep 0.4; echo once >> log; cat log"), truncate("half")],
          reply("whole"),
          reply("next"),
        ],
        streamRetries: 1,
      },
      ["one", "two"],
    ),
  ),
  differential(
    "cut.after-call-failed",
    "a stream that ends after a call and is not retried",
    turns({ model: [[exec("sleep 0.4; echo once"), truncate("half")], reply("next")] }, ["one", "two"]),
  ),
];
