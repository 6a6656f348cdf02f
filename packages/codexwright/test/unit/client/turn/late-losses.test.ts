import { expect } from "vitest";
import { CodexClient, type Transport, type TransportFactory } from "codexwright";
import type { TransportSink } from "codexwright/rpc";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { FAKE } from "../fake-turn.ts";

/** A server in memory that answers everything, and says or does something at a moment that no process can be brought to. */
function server(at: {
  readonly initialized?: (sink: TransportSink) => void;
  readonly closing?: (sink: TransportSink) => void;
}): TransportFactory {
  const results: Readonly<Record<string, unknown>> = {
    initialize: { userAgent: "codexwright/0.166.0 (none; none) none" },
    "thread/start": { thread: { id: "t1", turns: [] }, approvalPolicy: "on-request" },
  };
  return (): Promise<Transport> => {
    const sinks: TransportSink[] = [];
    const tell = (what: (sink: TransportSink) => void): void => {
      for (const sink of sinks) what(sink);
    };
    return Promise.resolve({
      open: (sink) => void sinks.push(sink),
      send: async (text) => {
        const { id, method = "" } = JSON.parse(text) as { id?: number; method?: string };
        const result = results[method] ?? {};
        if (id !== undefined) queueMicrotask(() => tell((sink) => sink.line(JSON.stringify({ id, result }))));
        else if (at.initialized) tell(at.initialized);
      },
      close: async () => {
        if (at.closing) tell(at.closing);
        tell((sink) => sink.closed({ message: "ended" }));
      },
    });
  };
}

verifies(
  "client.lifecycle",
  "what a server says while it is being ended starts no turn, asks nobody and holds nothing up",
  async () => {
    let asked = 0;
    const turn = { id: "u1", status: "inProgress", items: [] };
    const approval = { threadId: "t1", turnId: "u1", itemId: "i1", command: "ls" };
    const transport = server({
      closing: (sink) => {
        sink.line(JSON.stringify({ method: "turn/started", params: { threadId: "t1", turn } }));
        sink.line(
          JSON.stringify({ id: 7, method: "item/commandExecution/requestApproval", params: approval }),
        );
      },
    });
    const codex = await CodexClient.connect({
      transport,
      onApproval: () => {
        asked++;
        return "accept";
      },
    });
    const thread = await codex.startThread();
    await codex.disconnect();
    expect(thread.state).toMatchObject({ pendingRequests: [] });
    expect(thread.state.activeTurnId).toBeUndefined();
    expect(await rejection(thread.run("hi"))).toMatchObject({ code: "not_connected" });
    expect(asked).toBe(0);
  },
  FAKE,
);

verifies(
  ["client.server-death", "client.startup"],
  "a server that is lost right behind the handshake fails the connect, with `reconnect` too",
  async () => {
    const transport = server({ initialized: (sink) => sink.closed({ message: "died" }) });
    for (const reconnect of [false, {}] as const) {
      const codex = new CodexClient({ transport, reconnect });
      expect(await rejection(codex.connect())).toMatchObject({ code: "connection_closed" });
      await codex.disconnect();
    }
  },
  FAKE,
);
