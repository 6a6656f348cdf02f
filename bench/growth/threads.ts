import { LineDecoder } from "codexwright/rpc";
import { must, times, type GrowthCase, type Work } from "./case.ts";
import { clientOf, Feed } from "./feed.ts";
import { message, place, turnCompleted, turnStarted, type Place } from "./wire.ts";

const PIECES = times(16, (n) => `piece ${n} `);
const CHUNK = 64 * 1024;

/** Threads of one client, each with a turn, all at the same time. */
export const threads: GrowthCase = async (count) => {
  const feed = new Feed();
  const codex = await clientOf(feed);
  const turns = times(count, (n) => wholeTurn(place(n), PIECES));
  const lines = turns[0]?.flatMap((_, step) => turns.map((turn) => turn[step] ?? "")) ?? [];
  return {
    async run() {
      const handles = await Promise.all(times(count, () => codex.startThread()));
      const running = handles.map((thread) => thread.turn("go"));
      await Promise.all(running.map((turn) => turn.started));
      await feed.play(lines);
      const results = await Promise.all(running.map((turn) => turn.completed));
      must("answers", results.filter((each) => each.agentMessage === PIECES.join("")).length, count);
    },
    end: () => codex.disconnect(),
  };
};

/** Turns of one thread, one after the other. */
export const turns: GrowthCase = async (count) => {
  const feed = new Feed();
  const codex = await clientOf(feed);
  const thread = await codex.startThread();
  const lines = times(count, (n) => wholeTurn(place(0, n), PIECES));
  return {
    async run() {
      for (const each of lines) {
        const turn = thread.turn("go");
        await turn.started;
        await feed.play(each);
        await turn.completed;
      }
      must("last turn", thread.state.turns.length, Math.min(count, 50));
    },
    end: () => codex.disconnect(),
  };
};

function turnOfItems(count: number): string[] {
  const at = place();
  const messages = times(count, (n) => message(at, `item-${n}`, ["some ", "text"])).flat();
  return [turnStarted(at), ...messages, turnCompleted(at)];
}

/** Items of one turn. */
export const items: GrowthCase = async (count) => {
  const lines = turnOfItems(count);
  return await oneTurn(async (feed, thread) => {
    const turn = thread.turn("go");
    await turn.started;
    await feed.play(lines);
    must("items", (await turn.completed).items.length, count);
  });
};

/** Items of one turn, with a listener that reads the thread's state at every event. */
export const watchedItems: GrowthCase = async (count) => {
  const lines = turnOfItems(count);
  return await oneTurn(async (feed, thread) => {
    let seen = 0;
    const stop = thread.subscribe((state) => (seen = state.turns[0]?.items.length ?? 0));
    const turn = thread.turn("go");
    await turn.started;
    await feed.play(lines);
    await turn.completed;
    stop();
    must("items", seen, count);
  });
};

/** Deltas of one item, consumed as they arrive. */
export const deltas: GrowthCase = async (count) => {
  const lines = wholeTurn(place(), piecesOf(count));
  return await oneTurn(async (feed, thread) => {
    const turn = thread.turn("go");
    await turn.started;
    const playing = feed.play(lines);
    let seen = 0;
    for await (const event of turn) if (event.method === "item/agentMessage/delta") seen++;
    await playing;
    must("deltas", seen, count);
  });
};

/** Deltas of one item, with a listener that reads the whole text at each delta. */
export const watchedDeltas: GrowthCase = async (count) => {
  const pieces = piecesOf(count);
  const lines = wholeTurn(place(), pieces);
  return await oneTurn(async (feed, thread) => {
    let length = 0;
    const stop = thread.subscribe((state) => {
      const item = state.turns[0]?.items[0]?.item;
      if (item?.type === "agentMessage") length = item.text.length;
    });
    const turn = thread.turn("go");
    await turn.started;
    await feed.play(lines);
    await turn.completed;
    stop();
    must("length", length, pieces.join("").length);
  });
};

/** Events that are not consumed until the turn has ended. They cannot be merged. */
export const stalledItems: GrowthCase = async (count) => {
  const at = place();
  const lines = [
    turnStarted(at),
    ...times(count / 2, (n) => message(at, `item-${n}`, [])).flat(),
    turnCompleted(at),
  ];
  return await oneTurn(async (feed, thread) => {
    const { events } = await takeLate(feed, thread, lines);
    must("events", events, count + 2);
  });
};

/** Deltas that are not consumed until the turn has ended. They are merged. */
export const stalledDeltas: GrowthCase = async (count) => {
  const pieces = piecesOf(count);
  const lines = wholeTurn(place(), pieces);
  return await oneTurn(async (feed, thread) => {
    const { text } = await takeLate(feed, thread, lines);
    must("text", text.length, pieces.join("").length);
  });
};

/** One line of this size (KiB), in the chunks in which a pipe delivers it. */
export const messageSize: GrowthCase = async (kib) => {
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(Math.ceil((kib * 1024) / 45));
  const lines = wholeTurn(place(), [text]);
  const bytes = Buffer.from(`${lines.join("\n")}\n`);
  const chunks = times(Math.ceil(bytes.length / CHUNK), (n) =>
    Uint8Array.from(bytes.subarray(n * CHUNK, (n + 1) * CHUNK)),
  );
  return await oneTurn(async (feed, thread) => {
    const turn = thread.turn("go");
    await turn.started;
    const decoder = new LineDecoder((line) => feed.line(line));
    for (const chunk of chunks) decoder.push(chunk);
    must("length", (await turn.completed).agentMessage.length, text.length);
  });
};

/** Items of a thread that is resumed. */
export const resumed: GrowthCase = async (count) => {
  const item = (n: number): object => ({
    type: "agentMessage",
    id: `item-${n}`,
    text: "some text",
    phase: null,
  });
  const history = times(8, (turn) => ({
    id: `turn-${turn}`,
    status: "completed",
    error: null,
    items: times(count / 8, (n) => item((turn * count) / 8 + n)),
  }));
  const thread = { id: "thread-0", turns: history };
  const feed = new Feed({ "thread/resume": () => ({ thread, approvalPolicy: "never" }) });
  const codex = await clientOf(feed);
  return {
    async run() {
      const { state } = await codex.resumeThread("thread-0");
      must("items", state.turns.flatMap((turn) => turn.items).length, count);
    },
    end: () => codex.disconnect(),
  };
};

type Client = Awaited<ReturnType<typeof clientOf>>;
type Thread = Awaited<ReturnType<Client["startThread"]>>;

async function oneTurn(run: (feed: Feed, thread: Thread) => Promise<void>): Promise<Work> {
  const feed = new Feed();
  const codex = await clientOf(feed);
  const thread = await codex.startThread();
  return { run: () => run(feed, thread), end: () => codex.disconnect() };
}

/**
 * The events that a consumer receives if it sleeps until the turn has ended: their number, and the text of
 * the deltas.
 */
async function takeLate(
  feed: Feed,
  thread: Thread,
  lines: readonly string[],
): Promise<{ events: number; text: string }> {
  const turn = thread.turn("go");
  await turn.started;
  await feed.play(lines);
  await turn.completed;
  let events = 0;
  let text = "";
  for await (const event of turn) {
    events++;
    if (event.method === "item/agentMessage/delta") text += event.params.delta;
  }
  return { events, text };
}

function wholeTurn(at: Place, pieces: readonly string[]): string[] {
  return [turnStarted(at), ...message(at, "item-0", pieces), turnCompleted(at)];
}

function piecesOf(count: number): string[] {
  return times(count, (n) => `word ${n} `);
}
