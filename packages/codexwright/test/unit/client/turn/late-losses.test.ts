import { expect } from "vitest";
import { CodexClient, type Transport, type TransportFactory } from "codexwright";
import type { TransportSink } from "codexwright/rpc";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { FAKE } from "../fake-turn.ts";

/** An in-memory server that answers everything, and acts at moments that cannot be reproduced with a process. */
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
  "messages of a server that is being stopped start no turn, call no handler and delay nothing",
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
  "connect() rejects if the server is lost immediately after the handshake, also with `reconnect`",
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
