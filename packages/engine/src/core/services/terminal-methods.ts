import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** The methods for commands that the model left running. */
export function terminalMethods(host: ThreadsHost): Handlers {
  return {
    "thread/backgroundTerminals/list": ({ threadId, cursor, limit }) => {
      const { background } = host.loaded.find(threadId);
      const after = cursor === null || cursor === undefined ? 0 : whole(cursor, "cursor");
      const all = background.running().filter(({ id }) => id > after);
      const most = Math.max(1, limit ?? all.length);
      const page = all.slice(0, most);
      const last = page.at(-1);
      return {
        data: page.map(({ id, info: { itemId, command, cwd } }) => ({
          itemId,
          processId: String(id),
          command,
          cwd,
          osPid: null,
          cpuPercent: null,
          rssKb: null,
        })),
        nextCursor: last && page.length < all.length ? String(last.id) : null,
      };
    },
    "thread/backgroundTerminals/terminate": ({ threadId, processId }, context) => {
      const { background } = host.loaded.find(threadId);
      const id = whole(processId, "background terminal process id");
      const found = background.get(id)?.running === true;
      if (found) context.afterAnswer(() => void background.terminate(id));
      return { terminated: found };
    },
    "thread/backgroundTerminals/clean": ({ threadId }, context) => {
      const thread = host.loaded.find(threadId);
      context.afterAnswer(() => void thread.background.clean());
      return {};
    },
  };
}

/** Reads an id that is written as text, as the real server reads it. */
function whole(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const why = text === "" ? "cannot parse integer from empty string" : "invalid digit found in string";
  throw new ResponseError(-32600, `invalid ${name}: ${why}`);
}
