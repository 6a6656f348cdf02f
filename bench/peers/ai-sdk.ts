import { threadsOf, type Checks, type Load } from "../lib/load.ts";
import type { LoadPackage, OpenPeer, Peer, Took } from "./peer.ts";

interface Part {
  readonly type: string;
  /** The text: `delta` in the stream of a model, `text` in the stream of `streamText`. */
  readonly delta?: string;
  readonly text?: string;
  readonly error?: unknown;
}
interface Model {
  /** Ends the server, if each model has its own. */
  dispose?(): void;
  doStream(options: object): Promise<{ readonly stream: AsyncIterable<Part> }>;
}
interface Provider {
  (modelId: string): Model;
  close?(): Promise<void>;
}
interface Handlers {
  readonly onCommandExecutionApproval: () => Promise<object>;
  readonly onDynamicToolCall: () => Promise<object>;
}
type StreamText = (options: object) => {
  readonly fullStream?: AsyncIterable<Part>;
  readonly stream?: AsyncIterable<Part>;
};
interface Package {
  readonly createCodexAppServer: (options: object) => Provider;
}

/** Approves everything, for the provider that supports server requests. */
export const YES: { readonly serverRequests: Handlers } = {
  serverRequests: {
    onCommandExecutionApproval: async () => ({ decision: "accept" }),
    onDynamicToolCall: async () => ({ contentItems: [], success: true }),
  },
};

const PROMPT = [{ role: "user", content: [{ type: "text", text: "go" }] }];

/** A provider of Vercel's AI SDK: its model alone, or through `streamText` as its documentation describes. */
export function provider(
  name: string,
  by: "doStream" | "streamText",
  more: { readonly serverRequests?: Handlers } = {},
): OpenPeer {
  return async (load, server) => {
    const { createCodexAppServer } = (await load(name)) as Package;
    const settings = { codexPath: server, threadMode: "stateless", logger: false, ...more };
    const made = createCodexAppServer({ defaultSettings: settings });
    const parts = by === "doStream" ? modelParts : await textParts(load);
    return peerOf(made, parts);
  };
}

type Parts = (model: Model) => Promise<AsyncIterable<Part>>;

const modelParts: Parts = async (model) => (await model.doStream({ prompt: PROMPT })).stream;

async function textParts(load: LoadPackage): Promise<Parts> {
  const { streamText } = (await load("ai")) as { streamText: StreamText };
  return async (model) => {
    const result = streamText({ model, prompt: "go" });
    const stream = result.stream ?? result.fullStream;
    if (!stream) throw new Error("streamText gave no stream");
    return stream;
  };
}

function peerOf(made: Provider, parts: Parts): Peer {
  const model = made("bench");
  const follow = async (take: (text: string) => void): Promise<void> => {
    for await (const part of await parts(model)) {
      if (part.type === "error") throw new Error("the provider failed", { cause: part.error });
      if (part.type === "text-delta") take(part.delta ?? part.text ?? "");
    }
  };
  return {
    async stream(toCome: Load, checks: Checks) {
      // The threads are equal, and the provider decides which of them a call gets. So each call takes the next check.
      return async () => {
        const all = threadsOf(toCome).map(({ threadId }) => follow((text) => checks.take(threadId, text)));
        await Promise.all(all);
      };
    },
    async answer() {
      return async () => {
        let said = "";
        await follow((text) => (said += text));
        return JSON.parse(said) as Took;
      };
    },
    async [Symbol.asyncDispose]() {
      model.dispose?.();
      await made.close?.();
    },
  };
}
