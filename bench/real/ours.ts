import { CodexClient } from "codexwright";
import type { Party, PartyThread } from "./party.ts";
import type { World } from "./world.ts";

/** codexwright with its default options. */
export function ours({ codexPath, codexHome, cwd, env }: World): Party {
  const codex = new CodexClient({ codexPath, codexHome, cwd, env, reconnect: {} });
  return {
    connect: () => codex.connect(),
    startThread: async (): Promise<PartyThread> => {
      const thread = await codex.startThread();
      return {
        async run(input, onText) {
          const turn = thread.turn(input);
          if (onText) {
            for await (const { method } of turn) {
              if (method !== "item/agentMessage/delta") continue;
              onText();
              break;
            }
          }
          return (await turn.completed).agentMessage;
        },
        // The turn ends when its thread has been resumed.
        back: async (lost) => void (await lost.catch(() => {})),
      };
    },
    request: async () => void (await codex.request("thread/loaded/list", {})),
    [Symbol.asyncDispose]: () => codex.disconnect(),
  };
}
