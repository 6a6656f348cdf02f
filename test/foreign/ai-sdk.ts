import path from "node:path";
import { pathToFileURL } from "node:url";
import { installPeer, LOADER } from "../../bench/peers/install.ts";
import { PEERS } from "../../bench/peers/list.ts";
import type { Program } from "./servers.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolName?: string;
  readonly finishReason?: unknown;
}
interface Model {
  dispose?(): void;
  doStream(options: object): Promise<{ readonly stream: AsyncIterable<Part> }>;
}
interface Provider {
  (modelId: string): Model;
  close?(): Promise<void>;
}
interface Package {
  readonly createCodexAppServer: (options: object) => Provider;
}

/** The parts of a turn that an AI SDK provider emitted. */
export interface Told {
  /** Types of the parts, without consecutive duplicates. */
  readonly parts: readonly string[];
  readonly tools: readonly string[];
  readonly text: string;
  readonly finish: unknown;
}

/** Longer than the default of the package: a test must not fail because the machine is loaded. */
const PATIENT: Readonly<Record<string, object>> = {
  "ai-sdk-provider-codex-cli": { requestTimeoutMs: 120_000 },
};

interface TurnOptions {
  /** The type of the part to stop at. Without it, the turn runs to its end. */
  readonly until?: string;
  /** Parts of the prompt after its text. */
  readonly attached?: readonly object[];
}

/** Runs one turn with a provider package. */
export async function turnOf(
  name: string,
  { codexPath, cwd }: Program,
  settings: object,
  { until, attached = [] }: TurnOptions = {},
): Promise<Told> {
  const { createCodexAppServer } = await loaded(name);
  const defaultSettings = {
    codexPath,
    cwd,
    threadMode: "stateless",
    logger: false,
    ...PATIENT[name],
    ...settings,
  };
  const provider = createCodexAppServer({ defaultSettings });
  const model = provider("mock-model");
  const content = [{ type: "text", text: "go" }, ...attached];
  const parts: Part[] = [];
  try {
    const { stream } = await model.doStream({ prompt: [{ role: "user", content }] });
    for await (const part of stream) {
      parts.push(part);
      if (part.type === until) break;
    }
  } finally {
    model.dispose?.();
    await provider.close?.();
  }
  const types = parts.map(({ type }) => type);
  return {
    parts: types.filter((type, at) => type !== types[at - 1]),
    tools: parts.flatMap(({ type, toolName }) => (type === "tool-call" ? [toolName ?? ""] : [])),
    text: parts.map(({ type, delta, text }) => (type === "text-delta" ? (delta ?? text ?? "") : "")).join(""),
    finish: parts.find(({ type }) => type === "finish")?.finishReason,
  };
}

async function loaded(name: string): Promise<Package> {
  const peer = PEERS.find((each) => each.package === name);
  if (!peer) throw new Error(`${name} is not a peer`);
  const folder = await installPeer(peer);
  const loader = pathToFileURL(path.join(folder, LOADER)).href;
  const made = (await import(/* @vite-ignore */ loader)) as { load(from: string): Promise<unknown> };
  return (await made.load(name)) as Package;
}
