import path from "node:path";
import { pathToFileURL } from "node:url";
import { LOADER } from "../peers/install.ts";
import type { LoadPackage } from "../peers/peer.ts";
import type { Party, PartyThread } from "./party.ts";
import type { World } from "./world.ts";

/** The part of `@openai/codex-sdk` that is used here. It is not one of our dependencies. */
interface Sdk {
  readonly Codex: new (options: { codexPathOverride: string; env: Readonly<Record<string, string>> }) => {
    startThread(options: { workingDirectory: string; skipGitRepoCheck: boolean; sandboxMode: string }): {
      runStreamed(input: string): Promise<{ events: AsyncIterable<SdkEvent> }>;
    };
  };
}

interface SdkEvent {
  readonly type: string;
  readonly item?: { readonly type: string; readonly text?: string };
}

/** The official SDK, which starts a `codex exec` for each turn, on the same binary. It has no deltas: its first text is the whole message. */
export async function sdk({ codexPath, cwd, env }: World, installed: string): Promise<Party> {
  const loader = pathToFileURL(path.join(installed, LOADER)).href;
  const { load } = (await import(loader)) as { load: LoadPackage };
  const { Codex } = (await load("@openai/codex-sdk")) as Sdk;
  const codex = new Codex({ codexPathOverride: codexPath, env });
  return {
    // There is no connection before a turn.
    connect: async () => {},
    startThread: async (): Promise<PartyThread> => {
      const thread = codex.startThread({
        workingDirectory: cwd,
        skipGitRepoCheck: true,
        sandboxMode: "workspace-write",
      });
      return {
        async run(input, onText) {
          let answer = "";
          const { events } = await thread.runStreamed(input);
          for await (const { type, item } of events) {
            if (type !== "item.completed" || item?.type !== "agent_message") continue;
            onText?.();
            answer = item.text ?? "";
          }
          return answer;
        },
        back: async (lost) => void (await lost.catch(() => {})),
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
