import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { exec, reply } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { runWorld } from "../../support/run-world.ts";

const COMMAND = path.resolve(import.meta.dirname, "../../../../cli/dist/codexwright.js");

describe("the server of a run", () => {
  verifies("fleet.runner.engine", "can be our own app-server, and its threads are resumed too", async () => {
    await using world = await runWorld([exec("echo engine > made.txt"), reply("one"), reply("two")]);
    const command = world.commandWith(`'${process.execPath}' '${COMMAND}' app-server`);
    const first = await world.run({ codex: { command } });
    expect(first.outcome).toMatchObject({ kind: "completed" });
    expect(await readFile(path.join(first.totals.workspacePath ?? "", "made.txt"), "utf8")).toBe("engine\n");
    const second = await world.run({ codex: { command }, claim: { attempt: 1 } });
    expect(second.totals.threadId).toBe(first.totals.threadId);
  });
});
