import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, vi } from "vitest";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { opened, settings, textOf } from "./servers.ts";

const slow = { timeoutMs: 120_000 };
const linux = { ...slow, skip: unlessLinux };

/** The processes with this text in their environment or arguments. */
async function processesOf(text: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid="]);
  const found: string[] = [];
  for (const pid of stdout.split(/\s+/).filter(Boolean)) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    if (environment.includes(text)) found.push(pid);
  }
  return found;
}

describe("servers with a command", () => {
  verifies(
    "security.s123",
    "a server that fails in any way leaves the tools of the other servers",
    async () => {
      const bad = {
        hangs: settings(["hangs"], { startupTimeoutMs: 1_500 }),
        pages: settings(["pages"]),
        same: settings(["same-page"]),
        many: settings(["many-tools", "2049"]),
        none: settings(["no-tools"]),
        exits: settings(["exits", "3"]),
        silent: settings(["deaf"], { startupTimeoutMs: 1_500 }),
        missing: {
          ...settings([]),
          transport: { ...settings([]).transport, command: "/no/such/program" } as never,
        },
        "not a name": settings([]),
      };
      await using servers = await opened({
        ...bad,
        good: settings(["stderr"]),
        odd: settings(["odd-tools"]),
        flood: settings(["floods-at-start"]),
      });
      const failed = servers.told.flatMap(({ name, status }) =>
        status === "failed" && name !== "flood" ? [name] : [],
      );
      expect(failed.toSorted()).toEqual(Object.keys(bad).toSorted());
      expect(servers.mcp.list().map(({ name }) => name)).toEqual(expect.arrayContaining(["good", "odd"]));
      expect(
        servers.mcp
          .list()
          .find(({ name }) => name === "odd")
          ?.tools.map(({ name }) => name),
      ).toEqual(["a b/ü", "echo"]);
      expect(textOf(await servers.call("good", "echo", { text: "hi" }))).toBe("echo: hi");
      // A server that floods is cut off, also if it began well.
      await expect
        .poll(() => servers.mcp.states().find(({ name }) => name === "flood")?.status, { timeout: 60_000 })
        .toBe("failed");
    },
    slow,
  );

  verifies(
    "security.s123",
    "a server that breaks during a call fails that call in bounded memory, and not those of others",
    async () => {
      const modes = fc.record({
        mode: fc.constantFrom(
          "dies",
          "malformed",
          "floods-in-call",
          "long-line",
          "notifies",
          "deep",
          "hangs-in-call",
        ),
        number: fc.integer({ min: 0, max: 4 }),
      });
      const before = process.memoryUsage().rss;
      await fc.assert(
        fc.asyncProperty(modes, async ({ mode, number }) => {
          const count = mode === "deep" ? 10 ** (number + 3) : number;
          await using servers = await opened({
            bad: settings([mode, String(count)], { toolTimeoutMs: 3_000 }),
            good: settings([]),
          });
          const [bad, good] = await Promise.all([
            servers.call("bad", "echo", { text: "a" }),
            servers.call("good", "echo", { text: "b" }),
          ]);
          expect(textOf(good)).toBe("echo: b");
          expect(textOf(bad)).toMatch(/^error: bad\.echo (failed: the server|timed out after 3 seconds)/);
        }),
        {
          numRuns: 12,
          examples: [[{ mode: "floods-in-call", number: 0 }], [{ mode: "notifies", number: 0 }]],
        },
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 1024 * 1024);
    },
    { timeoutMs: 300_000 },
  );

  verifies(
    "engine.mcp.calls",
    "a call that ends during a question leaves no timer that would hold up the end of the program",
    async () => {
      const open = new Set<unknown>();
      const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
      const began = vi.spyOn(globalThis, "setTimeout").mockImplementation((work: () => void, ms?: number) => {
        const timer = set(work, ms);
        if (ms !== undefined && ms > 600_000) open.add(timer);
        return timer;
      });
      const ended = vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
        open.delete(timer);
        clear(timer);
      });
      try {
        await using servers = await opened({ small: settings([], { toolTimeoutMs: 700_000 }) });
        const stop = new AbortController();
        let answer = (): void => {};
        const elicit = async (): Promise<Readonly<Record<string, unknown>>> => {
          stop.abort();
          await new Promise<void>((resolve) => (answer = resolve));
          return { action: "decline" };
        };
        await servers.call("small", "ask", {}, { elicit, signal: stop.signal });
        answer();
        await new Promise((resolve) => setImmediate(resolve));
        expect([...open]).toEqual([]);
      } finally {
        began.mockRestore();
        ended.mockRestore();
      }
    },
    slow,
  );

  verifies(
    "security.s123",
    "instructions of any length take a bounded part of each request",
    async () => {
      await using servers = await opened({ wordy: settings(["instructs", "10000000"]) });
      expect(servers.mcp.list().map(({ instructions }) => instructions?.length)).toEqual([16_384]);
    },
    slow,
  );

  verifies(
    "security.s123",
    "a server has a bounded number of questions, of a bounded size, that wait for the user",
    async () => {
      await using servers = await opened({ bad: settings(["asks-on", "500"]) });
      let asked = 0;
      let answer = (): void => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const elicit = async (): Promise<Readonly<Record<string, unknown>>> => {
        if (++asked > 400) answer();
        await answered;
        return { action: "accept" };
      };
      const result = textOf(await servers.call("bad", "echo", {}, { elicit }));
      answer();
      expect([asked, result]).toEqual([32, "468 declined, large: decline"]);
    },
    slow,
  );

  verifies(
    "security.s124",
    "a server gets the usual variables and those of its settings, and no keys",
    async () => {
      const own = {
        OPENAI_API_KEY: "sk-own",
        CODEX_API_KEY: "k",
        GITHUB_TOKEN: "gh",
        MY_SETTING: "mine",
        ASKED: "yes",
      };
      const inherited = { PATH: process.env["PATH"], HOME: "/nowhere", LANG: "C", ...own };
      const server = settings(["ok"], { env: { EXTRA: "1" } });
      const transport = { ...server.transport, envVars: ["ASKED", "NOT_SET"] } as typeof server.transport;
      await using servers = await opened({ small: { ...server, transport } }, inherited);
      const { env, cwd } = JSON.parse(textOf(await servers.call("small", "env"))) as {
        env: Record<string, string>;
        cwd: string;
      };
      expect(
        Object.keys(env)
          .filter((name) => name !== "CODEXWRIGHT_COMMAND")
          .toSorted(),
      ).toEqual(["ASKED", "EXTRA", "HOME", "LANG", "PATH"].toSorted());
      expect(cwd).toBe(servers.folder);
    },
    slow,
  );

  verifies(
    "security.s125",
    "nothing of a server runs after its connection has closed, whatever it started",
    async () => {
      for (const mode of ["forks", "stubborn", "hangs", "floods-at-start", "stderr"]) {
        const marker = `mcp-test-${mode}-${process.pid}`;
        const server = settings([mode], { env: { MARKER: marker }, startupTimeoutMs: 5_000 });
        {
          await using servers = await opened({ one: server, two: server });
          expect(servers.told.length).toBeGreaterThanOrEqual(4);
        }
        expect(await processesOf(`MARKER=${marker}`)).toEqual([]);
      }
    },
    linux,
  );

  verifies(
    "security.s125",
    "a server that is closed while it starts is stopped",
    async () => {
      const { mcpServers } = await import("@codexwright/engine/node");
      const marker = `mcp-test-early-${process.pid}`;
      const server = settings(["hangs"], { env: { MARKER: marker } });
      const mcp = mcpServers({ home: path.resolve(".") }).open({
        id: "t",
        cwd: path.resolve("."),
        servers: { server },
      });
      const started = mcp.start(() => {});
      await mcp.close();
      await started;
      expect(await processesOf(`MARKER=${marker}`)).toEqual([]);
    },
    linux,
  );

  verifies(
    "engine.mcp.calls",
    "a call passes arguments, and its result keeps all shapes of content",
    async () => {
      await using servers = await opened({
        small: settings([], { disabledTools: ["fails"], toolTimeoutMs: 1_000 }),
      });
      expect(await servers.call("small", "shapes")).toMatchObject({
        content: [{ type: "text" }, { type: "image" }, { type: "audio" }, { type: "resource_link" }],
      });
      expect(await servers.call("small", "fails")).toEqual({ error: "no such tool" });
      const told: string[] = [];
      await servers.call("small", "progress", {}, { progress: (text) => told.push(text) });
      expect(told).toEqual(["step 1", "step 2", "step 3"]);
      expect(textOf(await servers.call("small", "slow"))).toBe("error: small.slow timed out after 1 seconds");
    },
    slow,
  );

  verifies(
    "engine.mcp.calls",
    "the time of a call stops while the user answers a question",
    async () => {
      await using servers = await opened({ small: settings([], { toolTimeoutMs: 1_500 }) });
      let asked: unknown;
      const answer = await servers.call(
        "small",
        "ask",
        {},
        {
          elicit: async (request) => {
            asked = request;
            // Longer than a call may take.
            await new Promise((resolve) => setTimeout(resolve, 2_000));
            return { action: "accept", content: { colour: "blue" } };
          },
        },
      );
      expect(asked).toMatchObject({ message: "Which colour?" });
      expect(textOf(answer)).toBe('{"action":"accept","content":{"colour":"blue"}}');
    },
    slow,
  );
});
