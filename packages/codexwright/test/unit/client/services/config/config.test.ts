import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { fakeClient } from "../../fake-client.ts";

const FAKE: VerifiesOptions = { against: "fake" };

verifies(
  "config.conflict",
  "converts a version conflict to config_conflict and keeps every other refusal",
  async () => {
    const refuse = (code: string) => ({
      code: -32600,
      message: "refused",
      data: { config_write_error_code: code },
    });
    await using world = await fakeClient([
      { on: "config/value/write", error: refuse("configVersionConflict") },
      { on: "config/batchWrite", error: refuse("configVersionConflict") },
      { on: "config/value/write", error: refuse("configValidationError") },
      { on: "config/value/write", error: { code: -32603, message: "disk full" } },
    ]);
    const config = world.codex.config;
    const conflict = {
      code: "config_conflict",
      message: "refused",
      delivery: "rejected",
      data: { config_write_error_code: "configVersionConflict" },
      cause: { code: "rpc" },
    };
    expect(await rejection(config.write("model", "a", { expectedVersion: "old" }))).toMatchObject(conflict);
    expect(await rejection(config.batchWrite([{ keyPath: "model", value: "a" }]))).toMatchObject(conflict);
    expect(await rejection(config.write("model", 1))).toMatchObject({
      code: "rpc",
      data: { config_write_error_code: "configValidationError" },
    });
    expect(await rejection(config.write("model", 1))).toMatchObject({ code: "rpc", rpcCode: -32603 });
    expect(world.sent().slice(0, 2)).toEqual([
      {
        method: "config/value/write",
        params: { keyPath: "model", value: "a", mergeStrategy: "replace", expectedVersion: "old" },
      },
      {
        method: "config/batchWrite",
        params: { edits: [{ keyPath: "model", value: "a", mergeStrategy: "replace" }] },
      },
    ]);
  },
  FAKE,
);

verifies(
  "config.write",
  "lists skills, and rejects extra roots if the server would ignore them",
  async () => {
    const extra = { cwds: ["/a"], perCwdExtraUserRoots: [{ cwd: "/a", extraUserRoots: ["/b"] }] };
    const entry = { cwd: "/a", skills: [], errors: [] };
    await using middle = await fakeClient([{ on: "skills/list", result: { data: [entry] } }], "0.120.0");
    expect(await middle.codex.skills(extra)).toEqual([entry]);
    expect(middle.sent()).toEqual([{ method: "skills/list", params: extra }]);
    for (const version of ["0.98.0", "0.166.0"]) {
      await using world = await fakeClient([], version);
      expect(await rejection(world.codex.skills(extra))).toMatchObject({ code: "unsupported" });
      expect(world.sent()).toEqual([]);
    }
  },
  FAKE,
);
