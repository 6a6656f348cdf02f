import {
  exec,
  fail,
  gate,
  reply,
  toolCall,
  type Gate,
  type ModelItem,
  type ModelRequest,
  type ModelResponse,
  type Scenario,
} from "@codexwright/testing";
import { ask, differential, heard, run, steps } from "./case.ts";

/** A call of a tool for agents. */
function agents(name: string, args: unknown): ModelItem {
  return toolCall(name, args, { namespace: "multi_agent_v1" });
}

type Parent = (id: string, request: ModelRequest) => ModelResponse;
type Child = (request: ModelRequest) => ModelResponse;

/**
 * A model for a parent and its agents. The parent's first response spawns an agent on "task". Its later responses are
 * those of the list, with the id of the agent.
 */
function family(
  later: readonly Parent[],
  child: Child,
  spawned: ModelResponse = agents("spawn_agent", { message: "task" }),
): (request: ModelRequest) => ModelResponse {
  let asked = 0;
  let parent: string | undefined;
  return (request) => {
    parent ??= request.threadId;
    if (request.threadId !== parent) return child(request);
    if (asked++ === 0) return spawned;
    return later[asked - 2]?.(idIn(request.toolOutputs), request) ?? reply("done");
  };
}

/** The id of the agent that was spawned. */
function idIn(outputs: ModelRequest["toolOutputs"]): string {
  return /"agent_id":"([^"]+)"/.exec(Object.values(outputs).join("\n"))?.[1] ?? "none";
}

const wait: Parent = (id) => agents("wait_agent", { targets: [id], timeout_ms: 60_000 });
const close: Parent = (id) => agents("close_agent", { target: id });
const done: Parent = () => reply("done");
const answers: Child = ({ lastUserText }) => reply(`answer to ${lastUserText}`);

/** Answers when the gate is open. */
function held(until: Gate): Child {
  return (request) => [until, ...[answers(request)].flat()];
}

/** Runs a turn of a parent whose agent is held until the parent waits for it. */
function waiting(
  later: readonly Parent[],
  child: Child = answers,
  texts: readonly string[] = ["go"],
  spawned?: ModelResponse,
): () => ReturnType<typeof steps> {
  return () => {
    const until = gate();
    return steps(
      { model: family(later, (request) => [until, ...[child(request)].flat()], spawned) },
      async (codex) => {
        const thread = await codex.startThread();
        const waits = heard(
          codex,
          "item/started",
          ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
        );
        void waits.then(() => until.open());
        for (const text of texts) await run(thread, text);
      },
    );
  };
}

/** Sub-agents: their tools, their notifications, and the messages to their parent. */
export const AGENTS: readonly Scenario[] = [
  differential("agents.wait", "a parent that waits for its agent", waiting([wait, done])),
  differential("agents.close", "an agent that is closed when it is done, and resumed", () => {
    const until = gate();
    return steps(
      {
        model: family(
          [
            wait,
            close,
            close,
            (id) => agents("resume_agent", { id }),
            (id) => agents("send_input", { target: id, message: "more" }),
            wait,
            (id) => agents("resume_agent", { id }),
            done,
          ],
          held(until),
        ),
      },
      async (codex) => {
        const thread = await codex.startThread();
        void heard(
          codex,
          "item/started",
          ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
        ).then(() => until.open());
        await run(thread, "go");
        await ask(codex, "thread/loaded/list", {});
      },
    );
  }),
  differential("agents.close-running", "an agent that is closed while it works", () => {
    const until = gate();
    const works = gate();
    void until.reached.then(() => works.open());
    const closes: Parent = (id, request) => [works, ...[close(id, request)].flat()];
    return steps({ model: family([closes, done], held(until)) }, async (codex) => {
      const thread = await codex.startThread();
      await run(thread, "go");
      await ask(codex, "thread/loaded/list", {});
    });
  }),
  differential(
    "agents.send",
    "an agent that gets another task when it is done",
    waiting([wait, (id) => agents("send_input", { target: id, message: "more" }), wait, done]),
  ),
  differential("agents.send-running", "an agent that gets a message while it works", () => {
    const until = gate();
    const works = gate();
    void until.reached.then(() => works.open());
    return steps(
      {
        model: family(
          [(id) => [works, agents("send_input", { target: id, message: "more" })], wait, done],
          held(until),
        ),
      },
      async (codex) => {
        const thread = await codex.startThread();
        void heard(
          codex,
          "item/started",
          ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
        ).then(() => until.open());
        await run(thread, "go");
      },
    );
  }),
  differential("agents.interrupt", "an agent that is interrupted by a message", () => {
    const never = gate();
    let asked = 0;
    const child: Child = (request) => (asked++ === 0 ? [never, reply("late")] : answers(request));
    return steps(
      {
        model: family(
          [
            () => exec("while [ ! -e go ]; do sleep 0.05; done"),
            (id) => agents("send_input", { target: id, message: "stop", interrupt: true }),
            wait,
            done,
          ],
          child,
        ),
      },
      async (codex, world) => {
        const thread = await codex.startThread();
        void never.reached.then(() => codex.fs.writeFile(`${world.workspace}/go`, ""));
        await run(thread, "go");
      },
    );
  }),
  differential(
    "agents.failed",
    "an agent whose model fails",
    waiting([wait, done], () => fail(400, { message: "no" })),
  ),
  differential(
    "agents.command",
    "an agent that runs a command",
    waiting([wait, close, done], ({ toolOutputs }) =>
      Object.keys(toolOutputs).length === 0 ? exec("sleep 0.4; echo out") : reply("ran"),
    ),
  ),
  differential("agents.told", "an agent that ends while its parent does something else", () => {
    const until = gate();
    return steps(
      {
        model: family(
          [() => exec("while [ ! -e go ]; do sleep 0.05; done; sleep 0.5; echo went"), done, done],
          held(until),
        ),
      },
      async (codex, world) => {
        const thread = await codex.startThread();
        const ended = heard(codex, "turn/completed", ({ threadId }) => threadId !== thread.id);
        void heard(codex, "item/started", ({ item }) => item.type === "commandExecution").then(() =>
          until.open(),
        );
        void ended.then(() => codex.fs.writeFile(`${world.workspace}/go`, ""));
        await run(thread, "go");
        await run(thread, "next");
      },
    );
  }),
  differential("agents.told-later", "an agent that ends after its parent's turn", () => {
    const until = gate();
    return steps({ model: family([done, done], held(until)) }, async (codex) => {
      const thread = await codex.startThread();
      const ended = heard(codex, "turn/completed", ({ threadId }) => threadId !== thread.id);
      await run(thread, "go");
      until.open();
      await ended;
      await run(thread, "next");
    });
  }),
  differential("agents.fork", "an agent that knows the conversation of its parent", () => {
    const until = gate();
    const parent = family(
      [
        () => reply("ran"),
        () => agents("spawn_agent", { message: "task", fork_context: true }),
        (_, { toolOutputs }) => wait(idIn(toolOutputs), {} as ModelRequest),
        done,
      ],
      held(until),
      exec("sleep 0.4; echo out"),
    );
    return steps({ model: parent }, async (codex) => {
      const thread = await codex.startThread();
      void heard(
        codex,
        "item/started",
        ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
      ).then(() => until.open());
      await run(thread, "first");
      await run(thread, "go");
    });
  }),
  differential(
    "agents.model",
    "an agent with another model and effort",
    waiting(
      [wait, done],
      answers,
      ["go"],
      agents("spawn_agent", { message: "task", model: "other-model", reasoning_effort: "high" }),
    ),
  ),
  differential("agents.wrong", "calls with wrong arguments", () =>
    steps(
      {
        model: [
          [
            agents("spawn_agent", {}),
            agents("spawn_agent", { message: " " }),
            agents("spawn_agent", { message: "a", items: [{ type: "text", text: "b" }] }),
            agents("spawn_agent", { message: "a", reasoning_effort: "enormous" }),
            agents("spawn_agent", { message: 7 }),
            agents("send_input", { message: "a" }),
            agents("send_input", { target: "none", message: "a" }),
            agents("send_input", { target: "01a1dee1-7664-7b61-90e2-23731fc5a095", message: "a" }),
            agents("send_input", { target: "01a1dee1-7664-7b61-90e2-23731fc5a095", message: "" }),
            agents("wait_agent", { targets: [] }),
            agents("wait_agent", { targets: ["none"] }),
            agents("wait_agent", { targets: ["01a1dee1-7664-7b61-90e2-23731fc5a095"] }),
            agents("wait_agent", { targets: ["01a1dee1-7664-7b61-90e2-23731fc5a095"], timeout_ms: 0 }),
            agents("close_agent", { target: "none" }),
            agents("close_agent", { target: "01a1dee1-7664-7b61-90e2-23731fc5a095" }),
            agents("resume_agent", { id: "none" }),
            agents("resume_agent", { id: "01a1dee1-7664-7b61-90e2-23731fc5a095" }),
          ],
          reply("done"),
        ],
      },
      async (codex) => await run(await codex.startThread(), "go"),
    ),
  ),
  differential(
    "agents.deep",
    "an agent that calls the tools for agents",
    waiting([wait, done], ({ toolOutputs }) =>
      Object.keys(toolOutputs).length === 0
        ? [agents("spawn_agent", { message: "deeper" }), agents("wait_agent", { targets: ["none"] })]
        : reply("alone"),
    ),
  ),
  differential("agents.many", "more agents than a thread may have", () => {
    const until = gate();
    const all = gate();
    let asked = 0;
    const child: Child = (request) => {
      if (++asked === 6) all.open();
      return held(until)(request);
    };
    return steps(
      {
        model: family(
          [() => [all, reply("done")]],
          child,
          Array.from({ length: 7 }, () => agents("spawn_agent", { message: "task" })),
        ),
      },
      async (codex) => await run(await codex.startThread(), "go"),
    );
  }),
  differential("agents.parent-stopped", "an interrupt of a parent that waits for its agent", () => {
    const until = gate();
    return steps({ model: family([wait, done, done], held(until)) }, async (codex) => {
      const thread = await codex.startThread();
      const waits = heard(
        codex,
        "item/started",
        ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
      );
      const ended = heard(codex, "turn/completed", ({ threadId }) => threadId !== thread.id);
      const turn = thread.turn("go");
      await waits;
      await turn.interrupt();
      await turn.completed.catch(() => {});
      until.open();
      await ended;
      await run(thread, "next");
    });
  }),
  differential("agents.asks", "an agent whose command is approved", () => {
    const until = gate();
    return steps(
      {
        model: family([wait, done], ({ toolOutputs }) =>
          Object.keys(toolOutputs).length === 0
            ? [until, exec("sleep 0.4; echo out", { justification: "may I?" })]
            : reply("ran"),
        ),
        approvalPolicy: "on-request",
      },
      async (codex) => {
        const thread = await codex.startThread();
        void heard(
          codex,
          "item/started",
          ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
        ).then(() => until.open());
        await run(thread, "go");
      },
      { onApproval: () => "accept" },
    );
  }),
  differential("agents.stored", "a parent and its agent, listed, read and resumed", () => {
    const until = gate();
    return {
      model: family(
        [wait, done, (id) => agents("send_input", { target: id, message: "more" }), wait, done],
        held(until),
      ),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const waits = heard(
          codex,
          "item/started",
          ({ item }) => item.type === "collabAgentToolCall" && item.tool === "wait",
        );
        const child = heard(codex, "turn/started", ({ threadId }) => threadId !== thread.id);
        void waits.then(() => until.open());
        await run(thread, "go");
        const { threadId } = await child;
        await ask(codex, "thread/list", {});
        await ask(codex, "thread/read", { threadId, includeTurns: true });
        await ask(codex, "thread/unsubscribe", { threadId: thread.id });
        await codex.disconnect();
        const later = await world.connect();
        await run(await later.resumeThread(thread.id), "next");
      },
    };
  }),
];
