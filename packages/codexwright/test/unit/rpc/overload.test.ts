import { expect } from "vitest";
import type { RequestOptions } from "codexwright/rpc";
import { rejection } from "@codexwright/test-support/events";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { open, type Peer } from "./peer.ts";

const OVERLOADED = { code: -32001, message: "Server overloaded; retry later." };

/** Refuses the first `count` requests it gets. */
async function refuse(peer: Peer, count: number): Promise<void> {
  for (let id = 0; id < count; id++) {
    await peer.got(id + 1);
    await peer.send({ id, error: OVERLOADED });
  }
}

verifies("rpc.overload", "a refusal for overload is retried under a new id until it is taken", async () => {
  const { connection, peer } = open();
  const answer = connection.request("busy", { n: 1 }, { timeoutMs: 10_000 });
  await refuse(peer, 3);
  const sent = await peer.got(4);
  expect(sent.map(({ id, params }) => ({ id, params }))).toEqual(
    [0, 1, 2, 3].map((id) => ({ id, params: { n: 1 } })),
  );
  await peer.send({ id: 3, result: "taken" });
  expect(await answer).toBe("taken");
});

verifies(
  "rpc.overload",
  "a request refused until its time is up is `overloaded`, and was not executed",
  async () => {
    const { connection, peer } = open();
    const outcome = rejection(connection.request("busy", {}, { timeoutMs: 60 }));
    void refuse(peer, Infinity);
    expect(await outcome).toMatchObject({ code: "overloaded", delivery: "rejected", retryable: true });
  },
);

verifies(
  "rpc.overload",
  "of a request that was refused nothing stays behind, whether it was taken later or given up",
  async () => {
    const { connection, peer } = open();
    const options: WeakRef<RequestOptions>[] = [];
    /** What a request waits by, held by nobody but the connection. */
    const watched = (wait: RequestOptions): RequestOptions => {
      options.push(new WeakRef(wait));
      return wait;
    };
    const stop = new AbortController();
    // In a function of its own, so that nothing of it is left on the stack.
    await (async () => {
      const taken = Array.from({ length: 20 }, () =>
        connection.request("taken", {}, watched({ timeoutMs: 10_000 })),
      );
      const givenUp = Array.from({ length: 20 }, () =>
        rejection(connection.request("given up", {}, watched({ signal: stop.signal }))),
      );
      await refuse(peer, 40);
      stop.abort();
      for (let at = 40, answered = 0; answered < taken.length; at++) {
        const { id, method } = (await peer.got(at + 1))[at] ?? {};
        if (method !== "taken" || id === undefined) continue;
        await peer.send({ id, result: {} });
        answered++;
      }
      await Promise.all([...taken, ...givenUp]);
    })();
    await collectGarbage();
    // A collector that looks at the stack may take a number there for a pointer.
    expect(options.filter((each) => each.deref() !== undefined).length).toBeLessThan(4);
    await connection.close();
  },
);
