import { CodexClient } from "codexwright";
import { fakeAppServer, type FakeAppServer, type FakeStep } from "codexwright/testing";
import type { ServiceHost } from "../../../../src/client/service-host.ts";

/** A connected client as the host of a service. */
export function hostOf(codex: CodexClient, warnings: string[] = []): ServiceHost {
  return {
    request: codex.request,
    onNotification: (method, listener) => codex.onNotification(method, listener),
    onClosed: (listener) => {
      codex.on("exit", listener);
      return () => codex.off("exit", listener);
    },
    serverVersion: () => codex.server.version,
    warn: (code) => warnings.push(code),
  };
}

export interface FakeHost extends AsyncDisposable {
  readonly codex: CodexClient;
  readonly host: ServiceHost;
  readonly fake: FakeAppServer;
  readonly warnings: string[];
  /** What the client has sent since it was connected, but for questions of its own. */
  sent(): unknown[];
}

/** A client that is connected to a server that plays this script. */
export async function fakeHost(script: readonly FakeStep[], version?: string): Promise<FakeHost> {
  const result = { userAgent: `codexwright/${version} (fake; none) none` };
  const handshake = [{ on: "initialize", result }, { on: "initialized" }];
  const fake =
    version === undefined
      ? fakeAppServer({ script })
      : fakeAppServer({ handshake: false, script: [...handshake, ...script] });
  const codex = await CodexClient.connect({ transport: fake.transport });
  const warnings: string[] = [];
  return {
    codex,
    fake,
    warnings,
    host: hostOf(codex, warnings),
    sent: () =>
      fake.received
        .filter(({ method = "" }) => !/^(initialized?$|codexwright\/)/.test(method))
        .map(({ method, params }) => ({ method, params })),
    [Symbol.asyncDispose]: async () => {
      await codex.disconnect();
      fake[Symbol.dispose]();
    },
  };
}
