import type { OpenPeer } from "./peer.ts";
import { threadsOf } from "../lib/load.ts";

interface Event {
  readonly type: string;
  readonly item?: { readonly type: string; readonly text: string };
}
interface Package {
  readonly Codex: new (options: object) => { startThread(options: object): SdkThread };
}
interface SdkThread {
  runStreamed(input: string): Promise<{ readonly events: AsyncIterable<Event> }>;
}

/** Runs one process per turn. Its events contain items. */
export const open: OpenPeer = async (load, server) => {
  const { Codex } = (await load("@openai/codex-sdk")) as Package;
  return {
    async stream(toCome, checks) {
      const codex = new Codex({ codexPathOverride: server });
      return async () => {
        const all = threadsOf(toCome).map(async ({ threadId }) => {
          const { events } = await codex.startThread({ skipGitRepoCheck: true }).runStreamed("go");
          for await (const event of events) {
            if (event.type === "item.updated" && event.item) checks.take(threadId, event.item.text);
          }
        });
        await Promise.all(all);
      };
    },
    async [Symbol.asyncDispose]() {},
  };
};
