import { gate, reply, toolCall, type Scenario } from "@codexwright/testing";
import { type Answer, ask, differential, heard, run, steps } from "./case.ts";

const OTHER = "01a1dee1-7664-7b61-90e2-23731fc5a095";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const full = { type: "dangerFullAccess" };

/** Commands and files without a model, settings, and requests that are refused. */
export const SERVICES: readonly Scenario[] = [
  differential("exec.variants", "commands with a folder, an environment, a cap and a time limit", () =>
    steps({ model: [] }, async (codex, world) => {
      const exec = (command: readonly string[], more: object = {}): Promise<unknown> =>
        ask(codex, "command/exec", { command, sandboxPolicy: full, ...more });
      await codex.fs.createDirectory(`${world.workspace}/sub`);
      await exec(["pwd"], { cwd: `${world.workspace}/sub` });
      await exec(["pwd"], { cwd: "/no/such/folder" });
      await exec(["sh", "-c", "echo $A-$B"], { env: { A: "1", B: null } });
      await exec(["sh", "-c", "seq 1 100"], { outputBytesCap: 10 });
      await exec(["sh", "-c", "seq 1 100; seq 1 50 >&2"], { disableOutputCap: true });
      await exec(["sh", "-c", "sleep 30"], { timeoutMs: 100 });
      await exec(["sh", "-c", "exit 7"]);
      await exec(["sh", "-c", "kill -9 $$"]);
      await exec(["no-such-program-here"]);
      await exec(["/etc/passwd"]);
      await exec([]);
      await exec(["true"], { timeoutMs: 100, disableTimeout: true });
      await exec(["true"], { outputBytesCap: 10, disableOutputCap: true });
      await exec(["true"], { tty: true });
      await exec(["true"], { size: { cols: 10, rows: 10 } });
    }),
  ),
  differential("exec.sandbox", "commands in the sandbox of the configuration and of a policy", () =>
    steps({ model: [] }, async (codex, world) => {
      const write = ["sh", "-c", "echo x > sandboxed.txt && echo written"];
      await ask(codex, "command/exec", { command: write });
      await ask(codex, "command/exec", { command: write, sandboxPolicy: { type: "readOnly" } });
      await ask(codex, "command/exec", {
        command: write,
        sandboxPolicy: {
          type: "workspaceWrite",
          writableRoots: [],
          networkAccess: false,
          excludeSlashTmp: true,
          excludeTmpdirEnvVar: true,
        },
      });
      await ask(codex, "command/exec", {
        command: ["sh", "-c", "echo x > ../outside.txt && echo written"],
        sandboxPolicy: {
          type: "workspaceWrite",
          writableRoots: [],
          networkAccess: false,
          excludeSlashTmp: true,
          excludeTmpdirEnvVar: true,
        },
      });
      await ask(codex, "command/exec", { command: write, sandboxPolicy: full });
      await ask(codex, "command/exec", { command: ["true"], sandboxPolicy: { type: "nonsense" } });
      await ask(codex, "fs/readDirectory", { path: world.workspace });
    }),
  ),
  differential("exec.streams", "a command with a terminal that is written to, resized and ended", () =>
    steps({ model: [] }, async (codex) => {
      const first = heard(codex, "command/exec/outputDelta");
      const answer = ask(codex, "command/exec", {
        command: ["sh", "-c", "stty -echo; echo ready; read line; stty size; sleep 30"],
        processId: "p1",
        tty: true,
        streamStdin: true,
        streamStdoutStderr: true,
        size: { cols: 80, rows: 24 },
        sandboxPolicy: full,
      });
      await first;
      await ask(codex, "command/exec/resize", { processId: "p1", size: { cols: 100, rows: 30 } });
      const second = heard(codex, "command/exec/outputDelta");
      await ask(codex, "command/exec/write", { processId: "p1", deltaBase64: base64("go\n") });
      await second;
      await ask(codex, "command/exec/terminate", { processId: "p1" });
      await answer;
      await ask(codex, "command/exec/terminate", { processId: "p1" });
    }),
  ),
  differential("exec.pipes", "a command whose input is closed, and wrong requests for it", () =>
    steps({ model: [] }, async (codex) => {
      const answer = ask(codex, "command/exec", {
        command: ["sh", "-c", "cat; echo end >&2"],
        processId: "p1",
        streamStdin: true,
        streamStdoutStderr: true,
        sandboxPolicy: full,
      });
      await ask(codex, "command/exec", { command: ["true"], processId: "p1", sandboxPolicy: full });
      await ask(codex, "command/exec/resize", { processId: "p1", size: { cols: 1, rows: 1 } });
      await ask(codex, "command/exec/write", { processId: "p1" });
      await ask(codex, "command/exec/write", { processId: "p1", deltaBase64: "%" });
      await ask(codex, "command/exec/write", {
        processId: "p1",
        deltaBase64: base64("text\n"),
        closeStdin: true,
      });
      await answer;
      await ask(codex, "command/exec/write", { processId: "p1", deltaBase64: base64("late") });
      await ask(codex, "command/exec", { command: ["cat"], streamStdin: true, sandboxPolicy: full });
    }),
  ),
  differential("process.spawn", "processes: output, input, end", () =>
    steps({ model: [] }, async (codex, world) => {
      const ended = heard(codex, "process/exited");
      const cwd = world.workspace;
      await ask(codex, "process/spawn", {
        command: ["sh", "-c", "read line; echo got $line; sleep 0.1; echo err >&2; exit 3"],
        processHandle: "h1",
        cwd,
        streamStdin: true,
        streamStdoutStderr: true,
      });
      await ask(codex, "process/spawn", { command: ["true"], processHandle: "h1", cwd });
      await ask(codex, "process/writeStdin", { processHandle: "h1", deltaBase64: base64("x\n") });
      await ended;
      await ask(codex, "process/kill", { processHandle: "h1" });
      const killed = heard(codex, "process/exited");
      await ask(codex, "process/spawn", { command: ["sleep", "30"], processHandle: "h2", cwd });
      await ask(codex, "process/kill", { processHandle: "h2" });
      await killed;
      const buffered = heard(codex, "process/exited");
      await ask(codex, "process/spawn", {
        command: ["sh", "-c", "echo out; echo err >&2"],
        processHandle: "h3",
        cwd,
      });
      await buffered;
      await ask(codex, "process/spawn", { command: ["no-such-program-here"], processHandle: "h4", cwd });
      await ask(codex, "process/spawn", { command: [], processHandle: "h5", cwd });
      await ask(codex, "process/spawn", { command: ["true"], processHandle: "h6", cwd: "/no/such/folder" });
    }),
  ),
  differential("fs.errors", "files that are missing, folders, and wrong kinds", () =>
    steps({ model: [] }, async (codex, { workspace }) => {
      const at = (name: string): string => `${workspace}/${name}`;
      await ask(codex, "fs/writeFile", { path: at("a.txt"), dataBase64: base64("a") });
      await ask(codex, "fs/writeFile", { path: at("missing/a.txt"), dataBase64: "" });
      await ask(codex, "fs/writeFile", { path: workspace, dataBase64: "" });
      await ask(codex, "fs/readFile", { path: workspace });
      await ask(codex, "fs/readDirectory", { path: at("a.txt") });
      await ask(codex, "fs/readDirectory", { path: at("missing") });
      await ask(codex, "fs/createDirectory", { path: at("x/y") });
      await ask(codex, "fs/createDirectory", { path: at("x/y"), recursive: false });
      await ask(codex, "fs/createDirectory", { path: at("a.txt") });
      await ask(codex, "fs/getMetadata", { path: at("a.txt") });
      await ask(codex, "fs/getMetadata", { path: at("missing") });
      await ask(codex, "fs/copy", { sourcePath: at("x"), destinationPath: at("z") });
      await ask(codex, "fs/copy", { sourcePath: at("x"), destinationPath: at("x/y/z"), recursive: true });
      await ask(codex, "fs/copy", { sourcePath: at("missing"), destinationPath: at("z") });
      await ask(codex, "fs/copy", { sourcePath: at("a.txt"), destinationPath: at("b.txt") });
      await ask(codex, "fs/remove", { path: at("x"), recursive: false });
      await ask(codex, "fs/remove", { path: at("missing"), force: false });
      await ask(codex, "fs/remove", { path: at("x"), recursive: true });
      await ask(codex, "fs/readFile", { path: "/proc/self/nothing" });
      await ask(codex, "fs/watch", { path: at("missing"), watchId: "w1" });
      await ask(codex, "fs/watch", { path: workspace, watchId: "w2" });
      await ask(codex, "fs/watch", { path: workspace, watchId: "w2" });
      await ask(codex, "fs/unwatch", { watchId: "w2" });
      await ask(codex, "fs/unwatch", { watchId: "w3" });
    }),
  ),
  differential("config.writes", "writes of the configuration: keys, merges, conflicts and refusals", () =>
    steps({ model: [] }, async (codex, world) => {
      const write = (keyPath: string, value: unknown, more: object = {}): Promise<Answer> =>
        ask(codex, "config/value/write", { keyPath, value, mergeStrategy: "replace", ...more });
      await write("model", "second-model");
      await write("model", "second-model");
      await write("mine.deep.key", 5);
      await write("mine.deep", { other: [1, 2] }, { mergeStrategy: "upsert" });
      await write("mine.deep", { other: [3] });
      await write("mine.none", null);
      await write('mine."a.b"."x y"', true);
      await write("__proto__.x", 1);
      await write("constructor", { x: 1 });
      await write("", 1);
      await write("a..b", 1);
      await write('a"b".c', 1);
      await write('"open', 1);
      await write("model.x", 1);
      await write("mine.list", [1, null]);
      await write("profile", "x");
      await write("profiles.x.model", "m");
      await write("model", 5);
      await write("sandbox_mode", "nonsense");
      await write("model", "x", { filePath: `${world.workspace}/other.toml` });
      await write("model", "x", { filePath: "relative.toml" });
      await write("model", "x", { expectedVersion: "sha256:0" });
      await write("model", "x", { mergeStrategy: "nonsense" });
      const { version } = await write("mine", null);
      await write("model", "third-model", { expectedVersion: version });
      await write("model", "fourth-model", { expectedVersion: version });
      const edit = (keyPath: string, value: unknown): object => ({
        keyPath,
        value,
        mergeStrategy: "replace",
      });
      await ask(codex, "config/batchWrite", { edits: [] });
      await ask(codex, "config/batchWrite", { edits: [edit("model", "m"), edit("model", 5)] });
      await ask(codex, "config/batchWrite", { edits: [edit("model", "m"), edit("model", "n")] });
      await ask(codex, "configRequirements/read", undefined);
      await ask(codex, "thread/start", {});
    }),
  ),
  differential("account.key", "a login with a key, its status, and logouts", () =>
    steps({ model: () => reply("ok"), openaiAuth: true }, async (codex) => {
      const status = (includeToken: boolean): Promise<Answer> =>
        ask(codex, "getAuthStatus", { includeToken, refreshToken: false });
      await status(false);
      await ask(codex, "account/logout", undefined);
      await ask(codex, "account/login/start", { type: "apiKey", apiKey: "sk-one" });
      await ask(codex, "account/read", {});
      await status(false);
      await status(true);
      await ask(codex, "account/rateLimits/read", undefined);
      await ask(codex, "account/login/cancel", { loginId: "x" });
      await ask(codex, "account/login/cancel", { loginId: OTHER });
      await ask(codex, "account/login/start", { type: "apiKey", apiKey: "sk-two" });
      await ask(codex, "account/login/start", { type: "apiKey" });
      await ask(codex, "account/login/start", { type: "nonsense" });
      const out = heard(codex, "account/updated", ({ authMode }) => authMode === null);
      await ask(codex, "account/logout", undefined);
      await out;
      await ask(codex, "account/read", {});
      await status(true);
    }),
  ),
  differential("search.sessions", "searches for files whose query changes", () =>
    steps({ model: [] }, async (codex, { workspace }) => {
      const sessionId = "s";
      await ask(codex, "fs/writeFile", { path: `${workspace}/one.txt`, dataBase64: base64("1") });
      await ask(codex, "fuzzyFileSearch/sessionStart", { sessionId, roots: [workspace] });
      for (const query of ["one", "none"]) {
        const completed = heard(codex, "fuzzyFileSearch/sessionCompleted");
        await ask(codex, "fuzzyFileSearch/sessionUpdate", { sessionId, query });
        await completed;
      }
      await ask(codex, "fuzzyFileSearch/sessionStop", { sessionId });
      await ask(codex, "fuzzyFileSearch/sessionUpdate", { sessionId, query: "one" });
      await ask(codex, "fuzzyFileSearch/sessionStop", { sessionId: "none" });
      await ask(codex, "fuzzyFileSearch/sessionStart", { sessionId: "", roots: [workspace] });
      await ask(codex, "fuzzyFileSearch/sessionStart", { sessionId: "t", roots: [] });
    }),
  ),
  differential("features.enablement", "features that a server does not know", () =>
    steps({ model: [] }, async (codex) => {
      await ask(codex, "experimentalFeature/enablement/set", { enablement: {} });
      await ask(codex, "experimentalFeature/enablement/set", { enablement: { "no-such-feature": true } });
    }),
  ),
  differential("settings.updates", "settings of a thread that change, stay the same and are wrong", () =>
    steps({ model: () => reply("ok") }, async (codex) => {
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      const update = (more: object): Promise<unknown> =>
        ask(codex, "thread/settings/update", { threadId, ...more });
      await update({});
      await update({ model: "other-model" });
      await update({ model: "other-model" });
      await update({ effort: "high", summary: "detailed" });
      await update({ effort: null });
      await update({ approvalPolicy: "untrusted" });
      await update({ sandboxPolicy: { type: "readOnly" } });
      await update({ permissions: ":workspace" });
      await update({ permissions: ":nonsense" });
      await update({ cwd: "relative" });
      await update({ personality: "friendly" });
      await ask(codex, "thread/settings/update", { threadId: OTHER });
      await run(thread, "go");
      await ask(codex, "thread/read", { threadId });
    }),
  ),
  differential("settings.in-turn", "settings of a turn that runs", () => {
    const held = gate();
    return steps(
      { model: [[held, toolCall("exec_command", { cmd: "sleep 0.4; true" })], reply("done")] },
      async (codex) => {
        const thread = await codex.startThread();
        const { id: threadId } = thread;
        const turn = thread.turn("go");
        await held.reached;
        await turn.started;
        await ask(codex, "thread/settings/update", { threadId, model: "other-model" });
        await ask(codex, "turn/settings/update", { threadId, turnId: turn.id, effort: "high" });
        await ask(codex, "turn/settings/update", { threadId, turnId: OTHER, effort: "high" });
        held.open();
        await turn.completed.catch(() => {});
      },
    );
  }),
  differential("queue.submissions", "queued submissions run one after the other", () => {
    const held = gate();
    return steps(
      { model: ({ index }) => (index === 0 ? [held, reply("one")] : reply(`answer ${index}`)) },
      async (codex) => {
        const thread = await codex.startThread();
        const { id: threadId } = thread;
        const turn = thread.turn("one");
        await held.reached;
        await turn.started;
        const add = (text: string): Promise<Answer> =>
          ask(codex, "thread/queue/add", {
            threadId,
            input: [{ type: "text", text }],
            clientUserMessageId: `c-${text}`,
          });
        const queued = [await add("two"), await add("three")].filter((each) => "queuedSubmission" in each);
        await ask(codex, "thread/queue/list", { threadId });
        let ended = 0;
        const all = heard(codex, "turn/completed", () => ++ended === queued.length + 1);
        held.open();
        await all;
        await ask(codex, "thread/queue/list", { threadId });
      },
    );
  }),
  differential("start.options", "options of thread/start that are wrong or change its settings", () =>
    steps({ model: () => reply("ok") }, async (codex, { workspace }) => {
      await ask(codex, "thread/start", { cwd: "/no/such/folder" });
      await ask(codex, "thread/start", { cwd: "relative" });
      await ask(codex, "thread/start", { modelProvider: "no-such-provider" });
      await ask(codex, "thread/start", { sandbox: "nonsense" });
      await ask(codex, "thread/start", { permissions: ":workspace", sandbox: "read-only" });
      await ask(codex, "thread/start", { permissions: ":workspace" });
      await ask(codex, "thread/start", { approvalPolicy: "on-failure" });
      await ask(codex, "thread/start", { historyMode: "legacy" });
      await ask(codex, "thread/start", { runtimeWorkspaceRoots: [`${workspace}/sub`] });
      await ask(codex, "thread/start", { config: { model: "from-config", model_reasoning_effort: "high" } });
      await ask(codex, "thread/start", { personality: "friendly", serviceName: "svc" });
      await ask(codex, "thread/loaded/list", {});
    }),
  ),
  differential("turn.refused", "turns that are refused", () =>
    steps({ model: () => reply("ok") }, async (codex) => {
      const { id: threadId } = await codex.startThread();
      const text = [{ type: "text", text: "go" }];
      await ask(codex, "turn/start", { threadId: OTHER, input: text });
      await ask(codex, "turn/start", { threadId: "nonsense", input: text });
      await ask(codex, "turn/start", { threadId, input: [{ type: "nonsense" }] });
      await ask(codex, "turn/start", { threadId, input: "text" });
      await ask(codex, "turn/interrupt", { threadId, turnId: OTHER });
      await ask(codex, "turn/steer", { threadId, input: text, expectedTurnId: OTHER });
      await ask(codex, "thread/shellCommand", { threadId, command: "" });
      await ask(codex, "thread/shellCommand", { threadId: OTHER, command: "true" });
      await ask(codex, "thread/backgroundTerminals/list", { threadId: OTHER });
      await ask(codex, "thread/backgroundTerminals/terminate", { threadId, processId: "1" });
      await ask(codex, "thread/read", { threadId: "nonsense" });
      await ask(codex, "thread/turns/list", { threadId: OTHER });
      await ask(codex, "thread/items/list", { threadId: OTHER });
      await ask(codex, "thread/revert", { threadId: OTHER, beforeTurnId: OTHER });
      await ask(codex, "thread/metadata/update", { threadId: OTHER });
      await ask(codex, "thread/archive", { threadId: OTHER });
      await ask(codex, "thread/unsubscribe", { threadId: OTHER });
    }),
  ),
  differential("turn.empty", "a turn with an empty input", () =>
    steps({ model: () => reply("ok") }, async (codex) => {
      const { id: threadId } = await codex.startThread();
      const done = heard(codex, "turn/completed");
      await ask(codex, "turn/start", { threadId, input: [] });
      await done;
    }),
  ),
  differential("tool.dynamic", "a tool of the client, and tools whose answers are wrong", () =>
    steps(
      {
        model: [
          toolCall("greet", { name: "a" }),
          toolCall("greet", { name: "b" }),
          toolCall("greet", "{nonsense"),
          reply("done"),
        ],
      },
      async (codex) => {
        let calls = 0;
        codex.onServerRequest("item/tool/call", () => {
          if (calls++ > 0) throw new Error("it broke");
          return { success: true, contentItems: [{ type: "inputText", text: "hello" }] };
        });
        const { thread } = await codex.request("thread/start", {
          dynamicTools: [
            {
              type: "function",
              name: "greet",
              description: "greets",
              inputSchema: { type: "object", properties: { name: { type: "string" } } },
            },
          ] as never,
        });
        await run(codex.thread(thread.id), "go");
      },
    ),
  ),
];
