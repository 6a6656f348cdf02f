import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient, type CodexClientOptions } from "codexwright";
import { exec, fakeAppServer, gate, hang, reply, type FakeAppServer } from "@codexwright/testing";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const FAKE: VerifiesOptions = { against: "fake" };

function connect(fake: FakeAppServer, options: Partial<CodexClientOptions> = {}): Promise<CodexClient> {
  return CodexClient.connect({ ...options, transport: fake.transport } as CodexClientOptions);
}

verifies(
  "testing.fake.home",
  "a later fake with the same home lists, reads and resumes the stored threads, and reports a turn that was running as interrupted",
  async () => {
    const home = mkdtempSync(path.join(tmpdir(), "codexwright-test-"));
    try {
      let id = "";
      {
        await using fake = fakeAppServer({ model: [reply("kept"), hang()], home });
        await using codex = await connect(fake);
        const thread = await codex.startThread();
        await thread.run("remember this");
        await thread.setName("Kept");
        const cut = thread.turn("never ends");
        cut.completed.catch(() => {});
        await fake.request(1);
        id = thread.id;
      }
      await using fake = fakeAppServer({ model: [reply("again")], home });
      await using codex = await connect(fake);
      expect((await codex.listThreads()).data).toMatchObject([
        { id, name: "Kept", preview: "remember this" },
      ]);
      const thread = await codex.resumeThread(id);
      expect((await thread.read(true)).turns.map(({ status }) => status)).toEqual([
        "completed",
        "interrupted",
      ]);
      expect((await thread.run("and now?")).agentMessage).toBe("again");
      expect(JSON.stringify(fake.requests[0]?.input)).toContain("remember this");
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  FAKE,
);

verifies(
  "testing.fake.home",
  "without a home, leaves nothing behind and does not list a thread that has no turn",
  async () => {
    const fake = fakeAppServer({ model: [] });
    const { cwd } = fake;
    const codex = await connect(fake);
    await codex.startThread();
    expect((await codex.listThreads()).data).toEqual([]);
    expect(readdirSync(cwd)).toEqual([]);
    await codex.disconnect();
    await fake[Symbol.asyncDispose]();
    expect(existsSync(path.dirname(cwd))).toBe(false);
  },
  FAKE,
);

verifies(
  "testing.fake.transports",
  "one script serves a client in memory, on a websocket, on a unix socket and as a program",
  async () => {
    await using fake = fakeAppServer({ model: ({ lastUserText }) => reply(`heard ${lastUserText}`) });
    const { url } = await fake.listen("ws://127.0.0.1:0");
    const file = path.join(path.dirname(fake.cwd), "socket");
    await fake.listen(`unix://${file}`);
    const ways: CodexClientOptions[] = [
      { transport: fake.transport },
      { transport: websocket(url) },
      { transport: unixSocket(file) },
      { codexPath: fake.executable, cwd: fake.cwd },
    ];
    for (const [n, way] of ways.entries()) {
      await using codex = await CodexClient.connect(way);
      const thread = await codex.startThread();
      expect((await thread.run(`way ${n}`)).agentMessage).toBe(`heard way ${n}`);
    }
    expect(fake.requests).toHaveLength(4);
  },
  { ...FAKE, timeoutMs: 30_000 },
);

verifies(
  "testing.fake.transports",
  "each process of the program is a separate server; the second finds a thread of the first, and only one process at a time can use that thread",
  async () => {
    await using fake = fakeAppServer({ model: () => reply("done") });
    const way: CodexClientOptions = { codexPath: fake.executable, cwd: fake.cwd };
    await using first = await CodexClient.connect(way);
    const thread = await first.startThread();
    await thread.run("one");
    await using second = await CodexClient.connect(way);
    expect((await second.listThreads()).data).toHaveLength(1);
    expect(await rejection(second.resumeThread(thread.id))).toMatchObject({ code: "active_writer" });
    await first.disconnect();
    const resumed = await second.resumeThread(thread.id);
    expect((await resumed.run("two")).agentMessage).toBe("done");
  },
  { ...FAKE, timeoutMs: 30_000 },
);

verifies(
  "testing.fake.words",
  "a command runs until its gate opens; if it is interrupted first, it ends after its turn",
  async () => {
    const ends = gate();
    await using fake = fakeAppServer({ model: [exec("serve", { output: "up\n", until: ends })] });
    await using codex = await connect(fake);
    const thread = await codex.startThread();
    const turn = thread.turn("start it");
    const outcome = rejection(turn.completed);
    await ends.reached;
    await turn.interrupt();
    expect(await outcome).toMatchObject({ code: "turn_interrupted" });
    const completed = new Promise((resolve) => codex.onNotification("item/completed", resolve));
    ends.open();
    expect(await completed).toMatchObject({
      turnId: turn.id,
      item: { aggregatedOutput: "up\n", exitCode: 0 },
    });
  },
  FAKE,
);

verifies(
  "testing.fake.home",
  "a fake that is closed, or is closing, does not listen and writes no program",
  async () => {
    const fake = fakeAppServer({ model: [] });
    const racing = fake.listen("ws://127.0.0.1:0");
    const closed = fake.close();
    expect(await rejection(racing)).toMatchObject({ code: "model_closed" });
    await closed;
    expect(await rejection(fake.listen("ws://127.0.0.1:0"))).toMatchObject({ code: "model_closed" });
    expect(() => fake.executable).toThrow("the fake app-server is closed");
    expect(existsSync(path.dirname(fake.cwd))).toBe(false);
  },
  FAKE,
);
