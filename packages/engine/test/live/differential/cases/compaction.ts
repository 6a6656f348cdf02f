import { exec, fail, gate, reply, streamFail, type ModelScript, type Scenario } from "@codexwright/testing";
import type { CodexClient, Thread } from "codexwright/client";
import { ask, differential, heard, run, steps } from "./case.ts";

/** A response that fills the context up to this many tokens. */
function filled(text: string, inputTokens: number): ReturnType<typeof reply> {
  return reply(text, { usage: { inputTokens, outputTokens: 1 } });
}

async function compacted(codex: CodexClient, { id: threadId }: Thread): Promise<void> {
  const ended = heard(codex, "turn/completed");
  await ask(codex, "thread/compact/start", { threadId });
  await ended;
}

/** Starts a thread that is compacted at 1,000 tokens. */
async function startSmall(codex: CodexClient): Promise<Thread> {
  return await codex.startThread({ config: { model_auto_compact_token_limit: 1_000 } });
}

/** Answers all requests with their number, and with these tokens of input. */
function counting(...tokens: readonly number[]): ModelScript {
  return ({ index }) => filled(`answer ${index}`, tokens[index] ?? 10);
}

/** The conversation is replaced by a summary. */
export const COMPACTION: readonly Scenario[] = [
  differential("compaction.twice", "two compactions by request, with turns in between", () =>
    steps({ model: counting() }, async (codex) => {
      const thread = await codex.startThread();
      await run(thread, "one");
      await compacted(codex, thread);
      await run(thread, "two");
      await compacted(codex, thread);
      await run(thread, "three");
    }),
  ),
  differential("compaction.empty", "a compaction of a thread without turns", () =>
    steps({ model: counting() }, async (codex) => {
      const thread = await codex.startThread();
      await compacted(codex, thread);
      await run(thread, "one");
    }),
  ),
  differential("compaction.before", "a compaction before a turn, because the last response was long", () =>
    steps({ model: counting(5_000) }, async (codex) => {
      const thread = await startSmall(codex);
      for (const text of ["one", "two", "three"]) await run(thread, text);
    }),
  ),
  differential("compaction.inside", "a compaction inside of a turn, after its tools", () =>
    steps(
      {
        model: ({ index }) =>
          index === 0
            ? exec("echo hello", { usage: { inputTokens: 5_000, outputTokens: 1 } })
            : filled(`answer ${index}`, 10),
      },
      async (codex) => {
        const thread = await startSmall(codex);
        await run(thread, "one");
        await run(thread, "two");
      },
    ),
  ),
  differential("compaction.refused", "a compaction that the provider refuses", () =>
    steps(
      { model: ({ index }) => (index === 1 ? fail(400, { message: "no" }) : filled(`answer ${index}`, 10)) },
      async (codex) => {
        const thread = await codex.startThread();
        await run(thread, "one");
        await compacted(codex, thread);
        await run(thread, "two");
      },
    ),
  ),
  differential("compaction.refused-before", "a compaction before a turn that the provider refuses", () =>
    steps(
      {
        model: ({ index }) =>
          index === 1 ? fail(400, { message: "no" }) : filled(`answer ${index}`, index === 0 ? 5_000 : 10),
      },
      async (codex) => {
        const thread = await startSmall(codex);
        for (const text of ["one", "two", "three"]) await run(thread, text);
      },
    ),
  ),
  differential("compaction.too-long", "a compaction whose request is longer than the window", () =>
    steps(
      {
        model: ({ index }) =>
          index === 2 || index === 3 ? streamFail("context_length_exceeded") : filled(`answer ${index}`, 10),
      },
      async (codex) => {
        const thread = await codex.startThread();
        await run(thread, "one");
        await run(thread, "two");
        await compacted(codex, thread);
        await run(thread, "three");
      },
    ),
  ),
  differential("compaction.interrupt", "an interrupt during a compaction", () => {
    const held = gate();
    return steps(
      {
        model: ({ index }) =>
          index === 1 ? reply("summary", { deltas: ["sum", held, "mary"] }) : filled(`answer ${index}`, 10),
      },
      async (codex) => {
        const thread = await codex.startThread();
        await run(thread, "one");
        const { id: threadId } = thread;
        const started = heard(codex, "turn/started");
        const ended = heard(codex, "turn/completed");
        await ask(codex, "thread/compact/start", { threadId });
        const { turn } = await started;
        await held.reached;
        await ask(codex, "turn/interrupt", { threadId, turnId: turn.id });
        await ended;
        held.open();
        await run(thread, "two");
      },
    );
  }),
  differential(
    "compaction.full",
    "a turn whose request is longer than the window, and the turn after it",
    () =>
      steps(
        {
          model: ({ index }) =>
            index === 1 ? streamFail("context_length_exceeded") : filled(`answer ${index}`, 10),
        },
        async (codex) => {
          const thread = await codex.startThread();
          for (const text of ["one", "two", "three"]) await run(thread, text);
        },
      ),
  ),
  differential("compaction.long-message", "a long message of the user before a compaction", () =>
    steps({ model: counting() }, async (codex) => {
      const thread = await codex.startThread({ config: { model_auto_compact_token_limit: 20_000 } });
      await run(thread, "words ".repeat(4_000));
      await compacted(codex, thread);
      await run(thread, "two");
    }),
  ),
  differential("compaction.read", "the history of a thread that was compacted", () =>
    steps({ model: counting() }, async (codex) => {
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      await run(thread, "one");
      await compacted(codex, thread);
      await run(thread, "two");
      await ask(codex, "thread/turns/list", { threadId });
      await ask(codex, "thread/unsubscribe", { threadId });
      await ask(codex, "thread/resume", { threadId, excludeTurns: true });
      await run(codex.thread(threadId), "three");
    }),
  ),
];
