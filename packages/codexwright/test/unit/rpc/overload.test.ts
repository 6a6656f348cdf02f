import { expect } from "vitest";
import type { RequestOptions } from "codexwright/rpc";
import { rejection } from "@codexwright/test-support/events";
import { collectGarbage } from "@codexwright/test-support/gc";
import { verifies } from "@codexwright/test-support/verifies";
import { open, type Peer } from "./peer.ts";

const OVERLOADED = { code: -32001, message: "Server overloaded; retry later." };

/** Refuses the first `count` requests that it receives. */
async function refuse(peer: Peer, count: number): Promise<void> {
  for (let id = 0; id < count; id++) {
    await peer.got(id + 1);
    await peer.send({ id, error: OVERLOADED });
  }
}

verifies(
  ["rpc.overload", "spec001.overload"],
  "retries an overloaded request under a new id until the server accepts it",
  async () => {
    const { connection, peer } = open();
    const answer = connection.request("busy", { n: 1 }, { timeoutMs: 10_000 });
    await refuse(peer, 3);
    const sent = await peer.got(4);
    expect(sent.map(({ id, params }) => ({ id, params }))).toEqual(
      [0, 1, 2, 3].map((id) => ({ id, params: { n: 1 } })),
    );
    await peer.send({ id: 3, result: "taken" });
    expect(await answer).toBe("taken");
  },
);

verifies(
  "rpc.overload",
  "rejects with `overloaded` if the server refuses a request until its timeout; the request was not executed",
  async () => {
    const { connection, peer } = open();
    const outcome = rejection(connection.request("busy", {}, { timeoutMs: 60 }));
    void refuse(peer, Infinity);
    expect(await outcome).toMatchObject({ code: "overloaded", delivery: "rejected", retryable: true });
  },
);

verifies(
  "rpc.overload",
  "frees the memory of a refused request, whether it was accepted later or aborted",
  async () => {
    const { connection, peer } = open();
    const options: WeakRef<RequestOptions>[] = [];
    /** Options of a request, referenced only by the connection. */
    const watched = (wait: RequestOptions): RequestOptions => {
      options.push(new WeakRef(wait));
      return wait;
    };
    const stop = new AbortController();
    // In a separate function, so that the stack holds no reference to the options.
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
    // A conservative collector may mistake a number on the stack for a pointer.
    expect(options.filter((each) => each.deref() !== undefined).length).toBeLessThan(4);
    await connection.close();
  },
);
