import { getEventListeners } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { Activity } from "../../../src/agent/run/activity.ts";
import { Pulse } from "../../../src/agent/run/pulse.ts";
import { Stop } from "../../../src/agent/run/stop.ts";
import { systemClock } from "../../../src/agent/clock.ts";
import { pause } from "../../../src/rpc/delay.ts";
import { openTransport } from "../../../src/client/connection/recovery/open-transport.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { open } from "./peer.ts";

verifies(
  "rpc.abort",
  "accepts one signal for any number of requests without a warning from Node, and leaves no listener",
  async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    const { connection, peer } = open({}, 128);
    const stop = new AbortController();
    const requests = Array.from({ length: 100 }, () =>
      connection.request("ask", {}, { signal: stop.signal }),
    );
    const [first, ...others] = requests;
    await peer.got(100);
    await peer.send({ id: 0, result: "answered" });
    expect(await first).toBe("answered");
    const refusals = Promise.all(others.map(async (each) => await rejection(each)));
    stop.abort();
    for (const refusal of await refusals) expect(refusal).toMatchObject({ code: "aborted" });
    await nextTick();
    process.off("warning", note);
    expect(warnings).toEqual([]);

    const later = new AbortController();
    const asked = connection.request("ask", {}, { signal: later.signal });
    await peer.send({ id: 100, result: "answered" });
    await asked;
    expect(getEventListeners(later.signal, "abort")).toEqual([]);
    await connection.close();
  },
);

verifies(
  "rpc.abort",
  "if any number of runs, connects and waits share a signal, adds one listener to it and removes that listener at the end",
  async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const listeners = (): number => getEventListeners(signal, "abort").length;
    const runs = Array.from(
      { length: 20 },
      () => new Stop("prompt", systemClock, undefined, signal, new Activity(new Pulse(systemClock))),
    );
    const waits = Array.from({ length: 20 }, async () => await pause(60_000, signal));
    const connects = Array.from({ length: 20 }, async () =>
      rejection(openTransport(async () => await new Promise<never>(() => {}), signal)),
    );
    expect(listeners()).toBe(1);
    stop.abort();
    await Promise.all(waits);
    for (const refusal of await Promise.all(connects)) expect(refusal).toMatchObject({ code: "aborted" });
    for (const run of runs) expect(run.reason).toMatchObject({ code: "aborted" });

    const later = new AbortController();
    const run = new Stop(
      "prompt",
      systemClock,
      undefined,
      later.signal,
      new Activity(new Pulse(systemClock)),
    );
    run[Symbol.dispose]();
    expect(getEventListeners(later.signal, "abort")).toEqual([]);
  },
);
