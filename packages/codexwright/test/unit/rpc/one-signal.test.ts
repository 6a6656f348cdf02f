import { getEventListeners } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { rejection } from "../../../../../test/support/events.ts";
import { verifies } from "../../../../../test/support/verifies.ts";
import { open } from "./peer.ts";

verifies(
  "rpc.abort",
  "one signal may be given to any number of requests: Node warns of nothing, and none of them stays",
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
