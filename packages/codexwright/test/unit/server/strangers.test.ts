import { EventEmitter } from "node:events";
import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { Strangers } from "../../../src/server/strangers.ts";

/** A fake socket that emits close one loop turn after it is destroyed, like a real one. */
class Socket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  destroyed = false;

  constructor(remoteAddress?: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    setImmediate(() => this.emit("close"));
  }
}

const LIMITS = { most: 8, ms: 60_000 };
const turned = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ add: fc.constantFrom("1.1.1.1", "2.2.2.2", "::1", undefined) }) },
  { weight: 2, arbitrary: fc.record({ ask: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ admit: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat() }) },
);

verifies(
  "security.s54",
  "bounds the number of sockets and never drops clients; a flood evicts only its own sockets",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const strangers = new Strangers(LIMITS);
        const waiting: Socket[] = [];
        const clients: Socket[] = [];
        const pick = (at: number): Socket | undefined => waiting[at % waiting.length];
        const drop = (socket: Socket | undefined): void => {
          if (socket) waiting.splice(waiting.indexOf(socket), 1);
        };
        for (const each of steps) {
          if ("add" in each) {
            const socket = new Socket(each.add);
            strangers.add(socket);
            waiting.push(socket);
            expect(socket.destroyed).toBe(false);
            const shareOf = (address: string | undefined): number =>
              waiting.filter(({ remoteAddress }) => remoteAddress === address).length;
            const largest = Math.max(...waiting.map(({ remoteAddress }) => shareOf(remoteAddress)));
            for (const gone of waiting.filter(({ destroyed }) => destroyed)) {
              expect(shareOf(gone.remoteAddress)).toBe(largest);
              drop(gone);
            }
          } else if ("ask" in each) {
            const socket = pick(each.ask);
            if (socket) strangers.asked(socket);
          } else if ("admit" in each) {
            const socket = pick(each.admit);
            if (!socket) continue;
            strangers.admit(socket);
            clients.push(socket);
            drop(socket);
          } else {
            const socket = pick(each.leave);
            socket?.destroy();
            drop(socket);
            await turned();
          }
          expect(waiting.length).toBeLessThanOrEqual(LIMITS.most);
          expect(strangers.size).toBe(waiting.length);
        }
        expect(clients.filter(({ destroyed }) => destroyed)).toEqual([]);
        for (const socket of waiting) socket.destroy();
        await turned();
        expect(strangers.size).toBe(0);
      }),
      { seed: 54, numRuns: 200 },
    );
  },
);

verifies("security.s54", "a socket of another address survives a flood from one address", () => {
  const strangers = new Strangers(LIMITS);
  const client = new Socket("2.2.2.2");
  strangers.add(client);
  const flood = Array.from({ length: 1_000 }, () => new Socket("1.1.1.1"));
  for (const socket of flood) strangers.add(socket);
  expect(client.destroyed).toBe(false);
  expect(flood.filter(({ destroyed }) => !destroyed)).toHaveLength(LIMITS.most - 1);
  for (const socket of [client, ...flood]) strangers.admit(socket);
});

verifies(
  "security.s54",
  "among the sockets of one address, evicts those with a complete request last",
  () => {
    const strangers = new Strangers(LIMITS);
    const sockets = Array.from({ length: LIMITS.most }, () => new Socket("1.1.1.1"));
    for (const socket of sockets) strangers.add(socket);
    const [asking] = sockets;
    if (asking) strangers.asked(asking);
    const newer = Array.from({ length: LIMITS.most - 1 }, () => new Socket("1.1.1.1"));
    for (const socket of newer) strangers.add(socket);
    expect(asking?.destroyed).toBe(false);
    expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([asking]);
    for (const socket of [...sockets, ...newer]) strangers.admit(socket);
  },
);

verifies("security.s54", "every socket is kept for its full time, whatever it sends", async () => {
  const strangers = new Strangers({ most: 100, ms: 1 });
  const sockets = Array.from({ length: 20 }, () => new Socket());
  const closed = Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve))),
  );
  for (const socket of sockets) strangers.add(socket);
  for (const socket of sockets) strangers.asked(socket);
  await closed;
  expect(strangers.size).toBe(0);
});
