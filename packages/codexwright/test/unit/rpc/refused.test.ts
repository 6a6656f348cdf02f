import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { open } from "./peer.ts";

verifies(
  "client.options",
  "rejects an invalid timeout, signal or method, and still closes properly",
  async () => {
    const { connection, peer } = open();
    const waiting = rejection(connection.request("x", {}));
    const controller = new AbortController() as unknown as AbortSignal;
    for (const refused of [
      connection.request("y", {}, { signal: controller }),
      connection.request("y", {}, { timeoutMs: Infinity }),
      connection.request("y", {}, { timeoutMs: -1 }),
      connection.request(undefined as unknown as string, {}),
    ])
      expect(await rejection(refused)).toMatchObject({ code: "invalid_argument" });
    await connection.notify("last", {});
    expect((await peer.got(2)).map(({ method }) => method)).toEqual(["x", "last"]);
    await connection.close();
    expect(await waiting).toMatchObject({ code: "connection_closed" });
  },
);
