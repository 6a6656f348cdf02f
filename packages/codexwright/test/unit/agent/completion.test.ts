import {
  AgentError,
  createSession,
  definePrompt,
  section,
  tool,
  type CompletionOptions,
} from "codexwright/agent";
import { reply, toolCall } from "@codexwright/testing";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { eventsOf, fakeWorld } from "./run-world.ts";

const FAKE = { against: "fake" } as const;
const sections = [section({ key: "a", title: "A", body: "Go." })];
const promptWith = (completion: CompletionOptions) => definePrompt({ id: "p", sections, completion });

verifies(
  "agent.run.completion-limit",
  "at its limit, a completion check rejects the run or ends it normally, after exactly so many turns",
  async () => {
    for (const maxRounds of [1, 2, 20]) {
      const rounds: number[] = [];
      const check: CompletionOptions["check"] = async ({ round, text, signal }) => {
        expect(signal.aborted).toBe(false);
        expect(text).toBe(`answer ${round - 1}`);
        rounds.push(round);
        return Promise.resolve(`go on ${round}`);
      };
      const numbers = Array.from({ length: maxRounds }, (_, index) => index + 1);
      await using world = await fakeWorld({ model: ({ index }) => reply(`answer ${index}`) });
      const run = world.agent.run(promptWith({ check, maxRounds, atLimit: "end" }));
      const { limitReached, text, turns, threadId } = await run.result;
      expect({ limitReached, text }).toEqual({ limitReached: true, text: `answer ${maxRounds - 1}` });
      expect(rounds).toEqual(numbers);
      expect(turns).toHaveLength(maxRounds);
      expect(eventsOf(run, "turn.started").map((event) => event.threadId)).toEqual(turns.map(() => threadId));
      expect(world.fake.requests.slice(1).map(({ lastUserText }) => lastUserText)).toEqual(
        numbers.slice(0, -1).map((round) => `go on ${round}`),
      );
      expect(run.events.at(-1)).toMatchObject({ type: "prompt.executed", result: { limitReached: true } });

      await using other = await fakeWorld({ model: () => reply("done") });
      const rejected = other.agent.run(promptWith({ check: () => "more", maxRounds }));
      expect(await rejection(rejected.result)).toMatchObject({
        code: "incomplete",
        message: `the work is still incomplete after ${maxRounds} turns: more`,
      });
      expect(other.fake.requests).toHaveLength(maxRounds);
    }
  },
  FAKE,
);

verifies(
  "agent.run.completion-limit",
  "a check that passes in its last round has not reached the limit; repairs and opened sections do not reset the rounds",
  async () => {
    await using world = await fakeWorld({ model: () => reply("done") });
    const check: CompletionOptions["check"] = ({ round }) => (round < 3 ? "more" : undefined);
    const run = world.agent.run(promptWith({ check, maxRounds: 3, atLimit: "end" }));
    expect(await run.result).toMatchObject({ limitReached: false });
    expect(eventsOf(run, "prompt.executed")[0]?.result).toEqual({ text: "done", output: undefined });

    const rounds: number[] = [];
    const typed = definePrompt({
      id: "typed",
      output: z.object({ n: z.number() }),
      sections: [
        section({ key: "a", title: "A", body: "Go." }),
        section({
          key: "b",
          title: "B",
          body: "x",
          summary: "y",
          visibility: "summary",
          tools: [tool({ name: "t", description: "d", input: z.object({}), run: () => "" })],
        }),
      ],
      completion: {
        check: ({ round }) => {
          rounds.push(round);
          return round === 1 ? "more" : undefined;
        },
        maxRounds: 5,
      },
    });
    await using other = await fakeWorld({
      model: [
        reply("first"),
        toolCall("open_sections", { section_keys: ["b"], reason: "more" }),
        reply("no json"),
        reply('{"n":1}'),
      ],
    });
    const session = createSession({ slices: [] });
    const repaired = other.agent.run(typed, { repair: 1, session });
    expect(await repaired.result).toMatchObject({ output: { n: 1 }, limitReached: false });
    expect(rounds).toEqual([1, 2, 2]);
  },
  FAKE,
);

verifies(
  "agent.run.completion-error",
  "a completion check that throws, rejects or returns nonsense fails the run with its cause",
  async () => {
    const cause = new Error("the tracker is down");
    for (const check of [
      () => {
        throw cause;
      },
      async () => Promise.reject(cause),
    ] as CompletionOptions["check"][]) {
      await using world = await fakeWorld({ model: () => reply("done") });
      const error = await rejection(world.agent.run(promptWith({ check, atLimit: "end" })).result);
      expect(error).toBeInstanceOf(AgentError);
      expect(error).toMatchObject({ code: "completion_failed", phase: "response", promptId: "p" });
      expect((error as AgentError).cause).toBe(cause);
      expect(world.fake.requests).toHaveLength(1);
    }
    for (const nonsense of [null, "", 7, {}, []]) {
      await using world = await fakeWorld({ model: () => reply("done") });
      const error = await rejection(world.agent.run(promptWith({ check: () => nonsense as never })).result);
      expect(error).toMatchObject({ code: "completion_failed", cause: { code: "invalid_argument" } });
    }
  },
  FAKE,
);

verifies(
  ["agent.run.completion-limit", "agent.run.stop"],
  "an interrupt during a completion check aborts its signal and ends the run",
  async () => {
    const checking = deferred<AbortSignal>();
    await using world = await fakeWorld({ model: () => reply("done") });
    const run = world.agent.run(
      promptWith({
        check: async ({ signal }) => {
          checking.resolve(signal);
          return await new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          });
        },
      }),
    );
    const signal = await checking.promise;
    await run.interrupt();
    expect(signal.aborted).toBe(true);
    expect(await rejection(run.result)).toMatchObject({ code: "turn_interrupted" });
  },
  FAKE,
);

verifies("agent.run.completion-limit", "rejects a limit that cannot be", () => {
  const check = (): undefined => undefined;
  for (const completion of [
    { check, maxRounds: 0 },
    { check, maxRounds: 1.5 },
    { check, atLimit: "stop" },
    { maxRounds: 3 },
    { check, maxRound: 3 },
  ])
    expect(() => definePrompt({ id: "p", sections, completion: completion as never })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }) as Error,
    );
});
