import path from "node:path";
import { pathToFileURL } from "node:url";
import { Checks, loadOf, messagesOf } from "../lib/load.ts";
import { measured } from "../lib/measured.ts";
import type { Figures } from "../lib/sample.ts";
import { provider, YES } from "../peers/ai-sdk.ts";
import { LOADER } from "../peers/install.ts";
import type { LoadPackage, OpenPeer, Peer, Question } from "../peers/peer.ts";
import { inFlight } from "./requests.ts";

const PEERS: Readonly<Record<string, () => Promise<OpenPeer>>> = {
  "codex-sdk": async () => (await import("../peers/codex-sdk.ts")).open,
  "acp-sdk": async () => (await import("../peers/acp-sdk.ts")).open,
  "mcp-sdk": async () => (await import("../peers/mcp-sdk.ts")).open,
  "vscode-jsonrpc": async () => (await import("../peers/vscode-jsonrpc.ts")).open,
  "json-rpc-2.0": async () => (await import("../peers/json-rpc-2.0.ts")).open,
  "codex-cli-doStream": async () => provider("ai-sdk-provider-codex-cli", "doStream", YES),
  "codex-cli-streamText": async () => provider("ai-sdk-provider-codex-cli", "streamText", YES),
  "codex-app-server-doStream": async () => provider("ai-sdk-provider-codex-app-server", "doStream"),
  "codex-app-server-streamText": async () => provider("ai-sdk-provider-codex-app-server", "streamText"),
};

/** Runs one task with another library. */
export async function run(
  name: string,
  task: string,
  folder: string,
  server: string,
  ...args: string[]
): Promise<Figures> {
  const { load } = (await import(pathToFileURL(path.join(folder, LOADER)).href)) as { load: LoadPackage };
  const open = await PEERS[name]?.();
  if (!open) throw new Error(`no peer is called "${name}"`);
  await using peer = await open(load, server);
  return await perform(peer, task, args);
}

async function perform(
  peer: Peer,
  task: string,
  [what = "", more = ""]: readonly string[],
): Promise<Figures> {
  if (task === "stream") {
    const load = loadOf(what);
    const checks = new Checks(load);
    const figures = await measured(messagesOf(load), await peer.stream(load, checks));
    checks.complete();
    return figures;
  }
  if (task === "requests") {
    if (!peer.request) throw new Error("it has no requests");
    const request = peer.request.bind(peer);
    return await measured(Number(what), () => inFlight(Number(what), Number(more), request));
  }
  const work = await peer.answer?.(what as Question);
  if (!work) throw new Error("it cannot be asked");
  let took: Figures = {};
  const figures = await measured(Number(more), async () => {
    took = { ...(await work()) };
  });
  return { ...figures, ...took };
}
