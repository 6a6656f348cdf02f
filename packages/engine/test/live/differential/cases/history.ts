import { rmSync, symlinkSync } from "node:fs";
import { exec, fail, hang, reply, type ModelScript, type Scenario } from "@codexwright/testing";
import { ask, differential, heard, run, steps } from "./case.ts";

const ECHO: ModelScript = ({ lastUserText }) => reply(`answer to ${lastUserText}`);
/** A thread that does not exist. */
const OTHER = "01a1dee1-7664-7b61-90e2-23731fc5a095";

/** Threads on disk: what is in them, and what the model is sent when they go on. */
export const HISTORY: readonly Scenario[] = [
  differential("resume.command", "a thread with a command goes on on another connection", () => ({
    model: ({ lastUserText, toolOutputs }) =>
      lastUserText === "one" && !("call_0_0" in toolOutputs)
        ? exec("sleep 0.4; echo out")
        : reply(`answer to ${lastUserText}`),
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread();
      await run(thread, "one");
      await ask(codex, "thread/unsubscribe", { threadId: thread.id });
      await codex.disconnect();
      const later = await world.connect();
      await run(await later.resumeThread(thread.id), "two");
    },
  })),
  differential("resume.archived", "an archived thread is resumed, read and forked", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      await run(thread, "one");
      await ask(codex, "thread/archive", { threadId });
      await ask(codex, "thread/archive", { threadId });
      await ask(codex, "thread/read", { threadId, includeTurns: true });
      await ask(codex, "thread/resume", { threadId });
      await ask(codex, "thread/list", { archived: true });
      await ask(codex, "thread/list", {});
      await ask(codex, "thread/unarchive", { threadId });
      await ask(codex, "thread/unarchive", { threadId });
      await ask(codex, "thread/list", {});
      await run(await codex.resumeThread(threadId), "two");
    }),
  ),
  differential(
    "resume.overrides",
    "a thread that is not loaded is resumed with another model and policy",
    () => ({
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await run(thread, "one");
        await ask(codex, "thread/unsubscribe", { threadId: thread.id });
        await codex.disconnect();
        const later = await world.connect();
        await ask(later, "thread/resume", {
          threadId: thread.id,
          model: "other-model",
          approvalPolicy: "on-request",
          sandbox: "read-only",
        });
        await run(later.thread(thread.id), "two");
      },
    }),
  ),
  differential("resume.deleted", "a thread whose file was deleted while it is loaded", () =>
    steps({ model: ECHO }, async (codex) => {
      const { thread } = await codex.request("thread/start", {});
      const ended = heard(codex, "turn/completed");
      await ask(codex, "turn/start", { threadId: thread.id, input: [{ type: "text", text: "one" }] });
      await ended;
      rmSync(thread.path ?? "");
      const again = heard(codex, "turn/completed");
      await ask(codex, "turn/start", { threadId: thread.id, input: [{ type: "text", text: "two" }] });
      await again;
      await ask(codex, "thread/list", {});
    }),
  ),
  differential("fork.whole", "a fork, and turns on both threads", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      await run(thread, "one");
      const fork = await thread.fork();
      await run(fork, "two");
      await run(thread, "three");
      await ask(codex, "thread/read", { threadId: fork.id, includeTurns: true });
      await ask(codex, "thread/list", {});
    }),
  ),
  differential("fork.part", "a fork up to a turn", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      const { turn } = await thread.run("one");
      await run(thread, "two");
      const fork = await thread.fork({ lastTurnId: turn.id });
      await run(fork, "three");
      await ask(codex, "thread/fork", { threadId: thread.id, lastTurnId: OTHER });
      await ask(codex, "thread/fork", { threadId: OTHER });
    }),
  ),
  differential("revert.turn", "a revert, and a turn after it", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      await run(thread, "one");
      const { turn } = await thread.run("two");
      await run(thread, "three");
      await thread.revert({ beforeTurnId: turn.id });
      await run(thread, "four");
      await ask(codex, "thread/read", { threadId: thread.id, includeTurns: true });
      await ask(codex, "thread/list", {});
    }),
  ),
  differential("history.failed", "turns that failed or were interrupted, as they are read", () =>
    steps(
      {
        model: ({ lastUserText }) =>
          lastUserText === "one" ? fail(500) : lastUserText === "two" ? hang() : reply("ok"),
      },
      async (codex, world) => {
        const thread = await codex.startThread();
        await run(thread, "one");
        const turn = thread.turn("two");
        await world.model.request(1);
        await turn.started;
        await turn.interrupt();
        await turn.completed.catch(() => {});
        await run(thread, "three");
        await ask(codex, "thread/read", { threadId: thread.id, includeTurns: true });
        await ask(codex, "thread/turns/list", { threadId: thread.id, itemsView: "full" });
      },
    ),
  ),
  differential("history.tools", "the items of a thread with a command and a patch", () =>
    steps(
      {
        model: [
          exec("sleep 0.4; echo out"),
          exec("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch\nEOF"),
          reply("done"),
        ],
      },
      async (codex) => {
        const thread = await codex.startThread();
        await run(thread, "one");
        await ask(codex, "thread/read", { threadId: thread.id, includeTurns: true });
        await ask(codex, "thread/items/list", { threadId: thread.id, sortDirection: "asc" });
        await ask(codex, "thread/turns/list", { threadId: thread.id, itemsView: "summary" });
      },
    ),
  ),
  differential("list.filters", "lists of threads by folder, source, provider and name", () =>
    steps({ model: ECHO }, async (codex, world) => {
      await codex.fs.createDirectory(`${world.workspace}/sub`);
      const first = await codex.startThread();
      await run(first, "find the needle");
      const second = await codex.startThread({ cwd: `${world.workspace}/sub` });
      await run(second, "other");
      await ask(codex, "thread/name/set", { threadId: second.id, name: "a name" });
      await ask(codex, "thread/list", { limit: 1, sortDirection: "asc" });
      await ask(codex, "thread/list", { cwd: `${world.workspace}/sub` });
      await ask(codex, "thread/list", { modelProviders: ["other"] });
      await ask(codex, "thread/list", { modelProviders: [] });
      await ask(codex, "thread/list", { sourceKinds: ["cli"] });
      await ask(codex, "thread/list", { searchTerm: "needle" });
      await ask(codex, "thread/list", { searchTerm: "name" });
      await ask(codex, "thread/list", { excludedThreadIds: [first.id] });
      await ask(codex, "thread/search", { searchTerm: "needle" });
      await ask(codex, "thread/loaded/list", {});
      await ask(codex, "thread/list", { cursor: "nonsense" });
    }),
  ),
  differential("name.set", "names that are empty, long and set twice", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      await ask(codex, "thread/name/set", { threadId, name: "early" });
      await run(thread, "one");
      await ask(codex, "thread/name/set", { threadId, name: "  spaced  " });
      await ask(codex, "thread/name/set", { threadId, name: "" });
      await ask(codex, "thread/name/set", { threadId: OTHER, name: "x" });
      await ask(codex, "thread/read", { threadId });
    }),
  ),
  differential("delete.thread", "a deleted thread", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      await run(thread, "one");
      await ask(codex, "thread/delete", { threadId });
      await ask(codex, "thread/delete", { threadId });
      await ask(codex, "thread/read", { threadId });
      await ask(codex, "thread/resume", { threadId });
      await ask(codex, "thread/list", {});
    }),
  ),
  differential("inject.items", "items that a client adds to the history", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      await run(thread, "one");
      await ask(codex, "thread/inject_items", {
        threadId,
        items: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "injected" }] }],
      });
      await ask(codex, "thread/inject_items", { threadId, items: [] });
      await ask(codex, "thread/inject_items", { threadId, items: [{ type: "nonsense" }] });
      await run(thread, "two");
    }),
  ),
  differential("context.agents-md", "AGENTS.md of the project and of folders below it", () =>
    steps({ model: ECHO }, async (codex, world) => {
      const sub = `${world.workspace}/sub`;
      await codex.fs.createDirectory(`${world.workspace}/.git`);
      await codex.fs.createDirectory(sub);
      await codex.fs.writeFile(`${world.workspace}/AGENTS.md`, "Speak plainly.");
      await codex.fs.writeFile(`${sub}/AGENTS.md`, "Speak of sub.");
      const thread = await codex.startThread({ cwd: sub });
      await run(thread, "one");
      await run(thread, "two");
    }),
  ),
  differential("context.agents-names", "other names for AGENTS.md, and the size of all of them", () =>
    steps({ model: ECHO }, async (codex, world) => {
      const sub = `${world.workspace}/sub`;
      await codex.fs.createDirectory(`${world.workspace}/.git`);
      await codex.fs.createDirectory(sub);
      await codex.fs.writeFile(`${world.workspace}/CLAUDE.md`, "Speak plainly.");
      await codex.fs.writeFile(`${sub}/AGENTS.md`, "Speak of sub.");
      await codex.fs.writeFile(`${sub}/AGENTS.override.md`, "Speak of sub, and only of sub.");
      const config = { project_doc_fallback_filenames: ["CLAUDE.md"], project_doc_max_bytes: 20 };
      const thread = await codex.startThread({ cwd: sub, config });
      await run(thread, "one");
      const short = await codex.startThread({ cwd: sub, config: { ...config, project_doc_max_bytes: 5 } });
      await run(short, "one");
    }),
  ),
  differential("context.agents-moved", "AGENTS.md of the folders that a thread moves to", () =>
    steps({ model: ECHO }, async (codex, world) => {
      const folders = ["one", "two", "none"].map((name) => `${world.workspace}/${name}`);
      for (const folder of folders) await codex.fs.createDirectory(folder);
      for (const folder of folders.slice(0, 2)) await codex.fs.writeFile(`${folder}/AGENTS.md`, folder);
      const thread = await codex.startThread({ cwd: `${world.workspace}/one` });
      await run(thread, "one");
      for (const cwd of [...folders.slice(1), `${world.workspace}/one`]) {
        await ask(codex, "thread/settings/update", { threadId: thread.id, cwd });
        await run(thread, cwd);
      }
    }),
  ),
  differential("context.agents-link", "an AGENTS.md that is a link to a file outside of the project", () =>
    steps({ model: ECHO }, async (codex, world) => {
      symlinkSync("/etc/passwd", `${world.workspace}/AGENTS.md`);
      const thread = await codex.startThread();
      await run(thread, "one");
    }),
  ),
  differential("context.instructions", "instructions of the client", () =>
    steps({ model: ECHO }, async (codex) => {
      const thread = await codex.startThread({
        baseInstructions: "You are a poet.",
        developerInstructions: "Rhyme.",
      });
      await run(thread, "one");
    }),
  ),
  differential("context.changes", "settings that change between turns are told to the model", () =>
    steps({ model: ECHO }, async (codex, world) => {
      await codex.fs.createDirectory(`${world.workspace}/sub`);
      const thread = await codex.startThread();
      const { id: threadId } = thread;
      await run(thread, "one");
      await ask(codex, "thread/settings/update", { threadId, approvalPolicy: "on-request" });
      await run(thread, "two");
      await ask(codex, "thread/settings/update", {
        threadId,
        cwd: `${world.workspace}/sub`,
        sandboxPolicy: { type: "readOnly" },
      });
      await run(thread, "three");
      await ask(codex, "thread/settings/update", {
        threadId,
        model: "other-model",
        effort: "high",
        summary: "concise",
      });
      await run(thread, "four");
    }),
  ),
  differential("context.turn-overrides", "settings of one turn, which stay", () =>
    steps({ model: ECHO }, async (codex, world) => {
      await codex.fs.createDirectory(`${world.workspace}/sub`);
      const thread = await codex.startThread();
      await run(thread, "one");
      const done = heard(codex, "turn/completed");
      await ask(codex, "turn/start", {
        threadId: thread.id,
        input: [{ type: "text", text: "two" }],
        cwd: `${world.workspace}/sub`,
        approvalPolicy: "on-request",
        sandboxPolicy: { type: "readOnly" },
        model: "other-model",
        effort: "low",
        summary: "none",
      });
      await done;
      await run(thread, "three");
    }),
  ),
];
