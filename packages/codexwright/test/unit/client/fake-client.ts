import { CodexClient } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";

/** Connects a client to a server that plays this script, and records the requests and warnings of the client. */
export async function fakeClient(script: readonly WireStep[], version?: string) {
  const fake = wireScript({ script, ...(version !== undefined && { version }) });
  const codex = await CodexClient.connect({ transport: fake.transport });
  const warnings: string[] = [];
  codex.on("warning", ({ code }) => warnings.push(code));
  return {
    codex,
    warnings,
    /** The messages that the client sent, without the handshake and its request for the list of methods. */
    sent: () => fake.received.slice(3).map(({ method, params }) => ({ method, params })),
    [Symbol.asyncDispose]: async () => {
      await codex.disconnect();
      fake[Symbol.dispose]();
    },
  };
}
