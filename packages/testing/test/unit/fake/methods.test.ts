import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { METHODS } from "codexwright/protocol";
import { fakeAppServer, type DialectName } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

const ALL = Object.keys(METHODS.clientRequests);

for (const dialect of ["current", "0.98", "2025-11"] as const satisfies DialectName[]) {
  verifies(
    "testing.fake.methods",
    `supports() reports exactly the methods that the fake supports, in the dialect ${dialect}`,
    async () => {
      await using fake = fakeAppServer({ model: [], dialect });
      await using codex = await CodexClient.connect({ transport: fake.transport });
      expect(fake.methods.length).toBeGreaterThan(5);
      expect(new Set(fake.methods).size).toBe(fake.methods.length);
      expect(fake.methods.filter((method) => !ALL.includes(method))).toEqual([]);
      const supported = ALL.filter((method) => codex.supports(method));
      expect(supported.toSorted()).toEqual(fake.methods.toSorted());
      expect(supported.length).toBeLessThan(ALL.length);
    },
    { against: "fake" },
  );
}

verifies(
  "testing.fake.methods",
  "rejects exactly the methods that it does not support, as unknown or as refused",
  async () => {
    await using fake = fakeAppServer({ model: [] });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const rejected: string[] = [];
    for (const method of [...ALL, "no/such/method"]) {
      // Invalid params: a known method rejects them, or succeeds.
      const error = await codex
        .request(method as never, { threadId: 7 } as never)
        .catch((cause: unknown) => cause);
      const message = error instanceof Error ? error.message : "";
      const isUnknown = message.includes(`unknown variant \`${method}\`, expected one of \`initialize\``);
      if (isUnknown || message.includes(`${method} is not supported: `)) {
        rejected.push(method);
        expect(error).toMatchObject({ code: "rpc", rpcCode: -32600 });
      }
    }
    const expected = [...ALL, "no/such/method"].filter((method) => !fake.methods.includes(method));
    expect(rejected).toEqual(expected);
  },
  { against: "fake" },
);
