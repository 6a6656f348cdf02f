import { readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { RawClient } from "../raw-client.ts";
import { echo, serverOn, temporaryHome } from "./home.ts";

/** A value with this many levels. */
function nested(levels: number): object {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as object;
}

const tool = (more: object): object => ({
  type: "function",
  name: "t",
  description: "",
  inputSchema: { type: "object" },
  ...more,
});

verifies(
  ["security.s67", "engine.records.deep"],
  "a thread whose first record is long is listed and resumed",
  async () => {
    const text = "a".repeat(700_000);
    for (const texts of [
      { baseInstructions: text },
      { developerInstructions: text },
      { baseInstructions: text, developerInstructions: text },
      { dynamicTools: [tool({ description: text })] },
      { dynamicTools: [tool({ inputSchema: nested(200) })] },
    ]) {
      await using home = await temporaryHome();
      let id = "";
      {
        await using first = await serverOn(home, echo());
        const client = await RawClient.connect(first.server);
        const { result } = await client.call("thread/start", { cwd: home.path, ...texts });
        id = (result as { thread: { id: string } }).thread.id;
        await client.call("turn/start", { threadId: id, input: [{ type: "text", text: "hi" }] });
        await client.told("turn/completed");
        await client.close();
      }
      await using next = await serverOn(home, echo());
      const { data } = await next.codex.request("thread/list", {});
      expect(data).toMatchObject([{ id, preview: "hi", cwd: home.path }]);
      const resumed = await next.codex.resumeThread(id);
      expect((await resumed.run("more")).agentMessage).toBe("re more");
    }
  },
);

verifies(
  ["security.s67", "engine.records.deep"],
  "texts and tools that could not be read from the record again are refused",
  async () => {
    await using home = await temporaryHome();
    await using only = await serverOn(home, echo());
    const long = "é".repeat(9 * 1024 * 1024);
    const good = await only.codex.startThread({ cwd: home.path });
    await good.run("hi");
    for (const texts of [
      { baseInstructions: long },
      { developerInstructions: long },
      { dynamicTools: [tool({ description: long })] },
      { dynamicTools: [tool({ inputSchema: nested(300) })] },
      { dynamicTools: [tool({ inputSchema: nested(450) })] },
    ]) {
      const refused = await rejection(
        only.codex.request("thread/start", { cwd: home.path, ...texts } as never),
      );
      expect((refused as Error).message).toMatch(/maximum length|nested deeper/);
      if ("dynamicTools" in texts) continue;
      expect(
        await rejection(only.codex.request("thread/fork", { threadId: good.id, ...texts })),
      ).toMatchObject({ message: expect.stringContaining("maximum length") as unknown });
    }
    expect(only.server.failures).toEqual([]);
  },
);

verifies(
  "security.s62",
  "a record with an ordinal that is not a possible position does not make turns disappear",
  async () => {
    for (const ordinal of [Number.MAX_SAFE_INTEGER, 2 ** 52, 1e15, -1, 1.5, "7"]) {
      await using home = await temporaryHome();
      let id = "";
      {
        await using first = await serverOn(home, echo());
        const thread = await first.codex.startThread({ cwd: home.path });
        id = thread.id;
        await thread.run("0");
      }
      const [file = ""] = await home.files();
      const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
      const last = JSON.parse(lines.pop() ?? "") as object;
      await writeFile(file, `${[...lines, JSON.stringify({ ...last, ordinal })].join("\n")}\n`);
      await using next = await serverOn(home, echo());
      const thread = await next.codex.resumeThread(id);
      for (const text of ["1", "2", "3", "4"]) await thread.run(text);
      const seen: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages < 9; pages++) {
        const page: { data: { id: string }[]; nextCursor: string | null } = await next.codex.request(
          "thread/turns/list",
          { threadId: id, limit: 2, cursor },
        );
        seen.push(...page.data.map((turn) => turn.id));
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect([ordinal, new Set(seen).size, seen.length]).toEqual([ordinal, 5, 5]);
    }
  },
);
