import { Connection, type ConnectionHandlers } from "codexwright/rpc";
import { must, times, type GrowthCase, type Work } from "./case.ts";
import { clientOf, Feed } from "./feed.ts";
import { message, notification, place, turnCompleted, turnStarted } from "./wire.ts";

const NO_HANDLERS: ConnectionHandlers = {
  notification: () => {},
  request: () => {},
  badLine: () => {},
  closed: () => {},
};

const METHOD = "item/agentMessage/delta";

/**
 * Requests that wait for their answers at the same time. Uses a connection, because a client sends at most
 * 128 at a time.
 */
export const inFlight: GrowthCase = async (count) => {
  const connection = new Connection({ transport: new Feed(), maxInFlight: count, handlers: NO_HANDLERS });
  return burst(
    count,
    () => connection.request("thread/loaded/list", {}),
    () => connection.close(),
  );
};

/** Requests that are made at the same time. All but 64 of them wait to be sent. */
export const waiting: GrowthCase = async (count) => {
  const codex = await clientOf(new Feed(), { maxInFlight: 64 });
  return burst(
    count,
    () => codex.request("thread/loaded/list", {}),
    () => codex.disconnect(),
  );
};

function burst(count: number, request: () => Promise<unknown>, end: () => Promise<void>): Work {
  return {
    async run() {
      const answers = await Promise.all(times(count, request));
      must("answers", answers.length, count);
    },
    end,
  };
}

/** Approvals that a turn waits for at the same time. They are decided after all have arrived. */
export const approvals: GrowthCase = async (count) => {
  const at = place();
  let decide = (): void => {};
  const all = new Promise<void>((resolve) => (decide = resolve));
  let asked = 0;
  const feed = new Feed();
  const codex = await clientOf(feed, {
    onApproval: async (): Promise<"accept"> => {
      if (++asked === count) decide();
      await all;
      return "accept";
    },
  });
  const thread = await codex.startThread();
  const questions = times(count, (n) => {
    const params = { ...at, itemId: `item-${n}`, command: "touch a", cwd: "/", reason: null, startedAtMs: 0 };
    return JSON.stringify({ method: "item/commandExecution/requestApproval", id: n, params });
  });
  return {
    async run() {
      const turn = thread.turn("go");
      await turn.started;
      await feed.play([turnStarted(at), ...questions]);
      await all;
      await feed.play([...message(at, "item", ["done"]), turnCompleted(at)]);
      await turn.completed;
      must("approvals", asked, count);
    },
    end: () => codex.disconnect(),
  };
};

/** Listeners of one method: all are added, each receives 256 notifications, and all are removed. */
export const listeners: GrowthCase = async (count) => {
  const feed = new Feed();
  const codex = await clientOf(feed);
  const lines = times(256, (n) =>
    notification(METHOD, { ...place(), itemId: "item-0", delta: `word ${n} ` }),
  );
  return {
    async run() {
      let heard = 0;
      const stops = times(count, () => codex.onNotification(METHOD, () => heard++));
      await feed.play(lines);
      for (const stop of stops) stop();
      must("calls", heard, count * lines.length);
    },
    end: () => codex.disconnect(),
  };
};
