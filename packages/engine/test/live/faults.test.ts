import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { EngineServer } from "@codexwright/engine";
import { engineDefaults, responses } from "@codexwright/engine/node";
import {
  applyPatch,
  exec,
  gate,
  reply,
  scriptedModel,
  truncate,
  type ModelScript,
} from "@codexwright/testing";
import { CodexClient } from "codexwright/client";
import { memoryPair } from "codexwright/rpc";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";

const LINUX = { skip: unlessLinux } as const;

/** Engines on one home, with a scripted model over HTTP, a real shell, real files and the real sandbox. */
class Bench implements AsyncDisposable {
  readonly root: string = mkdtempSync(path.join(realpathSync(tmpdir()), "codexwright-faults-"));
  readonly workspace: string = path.join(this.root, "workspace");
  readonly #closes: (() => Promise<void>)[] = [];

  constructor() {
    for (const name of ["workspace", "home", "codex-home"]) mkdirSync(path.join(this.root, name));
  }

  async engine(
    script: ModelScript,
  ): Promise<{ readonly server: EngineServer; readonly connect: () => Promise<CodexClient> }> {
    const model = await scriptedModel(script);
    this.#closes.push(() => model.close());
    const server = new EngineServer(
      await engineDefaults({
        provider: responses({ baseUrl: model.baseUrl, id: "mock" }),
        home: path.join(this.root, "codex-home"),
        cwd: this.workspace,
        env: { HOME: path.join(this.root, "home"), MARK: this.root },
        config: { model: "mock-model", streamRetries: 0, requestRetries: 0, connectionRetries: 0 },
      }),
    );
    this.#closes.push(() => server.close());
    const connect = async (): Promise<CodexClient> => {
      const [near, far] = memoryPair();
      server.accept(far);
      const codex = new CodexClient({
        transport: Object.assign(() => near, { cwd: this.workspace }),
        cwd: this.workspace,
        approvalPolicy: "never",
        sandbox: "workspace-write",
      });
      this.#closes.push(() => codex.disconnect());
      await codex.connect();
      return codex;
    };
    return { server, connect };
  }

  /** The processes that commands of this bench started. */
  processes(): number[] {
    const started = (pid: string): boolean => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`MARK=${this.root}`);
      } catch {
        return false;
      }
    };
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry) && started(entry))
      .map(Number);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closes.toReversed()) await close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

verifies(
  "engine.differential.faults",
  "a model that asks for /etc/shadow can read what its user can read, and cannot change it by command or patch",
  async () => {
    await using bench = new Bench();
    const before = readFileSync("/etc/passwd", "utf8");
    const { connect } = await bench.engine([
      exec("head -c 4 /etc/shadow | wc -c"),
      exec("echo evil >> /etc/shadow; echo evil >> /etc/passwd; touch /etc/evil"),
      applyPatch("*** Update File: /etc/passwd\n@@\n-root\n+evil"),
      applyPatch("*** Add File: /etc/evil\n+evil"),
      reply("done"),
    ]);
    const codex = await connect();
    const { items } = await (await codex.startThread()).run("go");
    const commands = items.filter(({ type }) => type === "commandExecution");
    expect(commands).toMatchObject([{ exitCode: 0 }, { status: "failed" }]);
    expect(items.some(({ type }) => type === "fileChange")).toBe(false);
    expect(readFileSync("/etc/passwd", "utf8")).toBe(before);
    expect(existsSync("/etc/evil")).toBe(false);
  },
  LINUX,
);

verifies(
  "engine.differential.faults",
  "a provider that dies after a tool call fails the turn, keeps the call with its output, and leaves no process",
  async () => {
    await using bench = new Bench();
    // Bun drops the bytes that it has not read when a connection is lost.
    const called = gate();
    const { connect } = await bench.engine([
      [exec("echo once >> log; cat log"), called, truncate("half", { drop: true })],
      ({ toolOutputs }) => reply(JSON.stringify(toolOutputs)),
    ]);
    const codex = await connect();
    const thread = await codex.startThread();
    codex.onNotification("item/started", ({ item }) => {
      if (item.type === "commandExecution") called.open();
    });
    const failed = await thread.run("one").then(
      () => "ended",
      (error: { code?: string }) => error.code,
    );
    expect(failed).toBe("turn_failed");
    const { agentMessage } = await thread.run("two");
    expect(agentMessage).toContain("once");
    expect(readFileSync(path.join(bench.workspace, "log"), "utf8")).toBe("once\n");
    expect(bench.processes()).toEqual([]);
  },
  LINUX,
);

verifies(
  "engine.differential.faults",
  "two servers on one home run turns at the same time, and each lists the threads of both",
  async () => {
    await using bench = new Bench();
    const echo: ModelScript = ({ lastUserText }) => reply(`answer to ${lastUserText}`);
    const clients = await Promise.all([1, 2].map(async () => (await bench.engine(echo)).connect()));
    const threads = await Promise.all(clients.map((codex) => codex.startThread()));
    await Promise.all(
      threads.flatMap((thread) =>
        [0, 1, 2].map(async (n) => (await thread.send(`turn ${n}`, { mode: "queue" })).turn.completed),
      ),
    );
    for (const codex of clients) {
      const { data } = await codex.request("thread/list", {});
      expect(data.map(({ id }) => id).toSorted()).toEqual(threads.map(({ id }) => id).toSorted());
    }
    const [first] = clients;
    const [, second] = threads;
    const refused = await first?.request("thread/resume", { threadId: second?.id ?? "" }).then(
      () => "resumed",
      (error: { rpcCode?: number }) => error.rpcCode,
    );
    expect(refused).toBe(-32600);
  },
  LINUX,
);

verifies(
  "engine.differential.faults",
  "closing the server while commands run leaves none of their processes",
  async () => {
    await using bench = new Bench();
    const { server, connect } = await bench.engine([
      [
        exec("sleep 1000 & sleep 1000", { args: { yield_time_ms: 250 } }),
        exec("trap '' TERM INT HUP; (setsid sleep 1000 &); sleep 1000", { args: { yield_time_ms: 250 } }),
      ],
      exec("sleep 1000"),
      reply("never"),
    ]);
    const codex = await connect();
    const thread = await codex.startThread();
    let started = 0;
    const running = new Promise<void>((resolve) => {
      codex.onNotification("item/started", ({ item }) => {
        if (item.type === "commandExecution" && ++started === 3) resolve();
      });
    });
    const turn = thread.turn("go");
    turn.completed.catch(() => {});
    await running;
    expect(bench.processes().length).toBeGreaterThan(0);
    await server.close();
    expect(bench.processes()).toEqual([]);
  },
  LINUX,
);
