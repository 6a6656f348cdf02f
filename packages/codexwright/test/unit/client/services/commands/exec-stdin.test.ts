import { expect } from "vitest";
import { exec, type ExecOptions } from "../../../../../src/client/services/commands/index.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeHost } from "./host.ts";

verifies(
  "exec.stdin",
  "rejects input that is neither text nor bytes, because the command would wait for its end",
  async () => {
    const { host, asked } = fakeHost();
    for (const stdin of [null, 5, { pipe: true }, new ArrayBuffer(2)] as unknown as ExecOptions["stdin"][])
      expect(() => exec(host, ["cat"], { stdin })).toThrow(
        /stdin must be a boolean or a string or a Uint8Array/,
      );
    expect(asked).toEqual([]);
    const command = exec(fakeHost().host, ["cat"], { stdin: true });
    expect(await rejection(command.stdin.write(5 as unknown as string))).toMatchObject({
      code: "invalid_argument",
    });
  },
);
