// A process of its own, because it ends itself with SIGKILL at an append of the store. Runs turns on a home, and prints
// the id of each turn for which the client received `turn/completed`.
import { existsSync, readdirSync, statSync, truncateSync, writeSync } from "node:fs";
import path from "node:path";

const [, , dist, home, moment, count, threadId] = process.argv;
const { engine, rolloutStore } = await import(`${dist}/node.js`);
const { CodexClient } = await import("codexwright");

const end = () => process.kill(process.pid, "SIGKILL");
const store = rolloutStore({ home });

/** The file of the thread, if it has one. */
function fileOf(id) {
  const folder = path.join(home, "sessions");
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder, { recursive: true });
  const name = files.find((each) => each.endsWith(`${id}.jsonl`));
  return name === undefined ? undefined : path.join(folder, name);
}

const sizeOf = (file) => (file === undefined ? 0 : statSync(file).size);

let left = Number(count);
const killing = new Proxy(store, {
  get(target, name) {
    const value = target[name];
    if (name !== "append") return typeof value === "function" ? value.bind(target) : value;
    return async (lease, batch) => {
      const isLast = --left === 0;
      if (isLast && moment === "before") end();
      const size = sizeOf(fileOf(batch.thread.id));
      await target.append(lease, batch);
      if (!isLast) return;
      // As if the process had been killed while it wrote.
      const file = fileOf(batch.thread.id);
      if (moment === "torn") truncateSync(file, Math.floor((size + sizeOf(file)) / 2));
      end();
    };
  },
});

const usage = {
  totalTokens: 2,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningOutputTokens: 0,
};
let n = 0;
/** Calls a tool, and then answers. */
const provider = {
  id: "own",
  models: () => Promise.resolve([]),
  async *stream({ input, tools }) {
    await Promise.resolve();
    if (tools.length === 0) {
      const content = [{ type: "output_text", text: "the summary" }];
      yield { type: "itemDone", item: { type: "message", id: "msg_s", role: "assistant", content } };
      yield { type: "completed", usage };
      return;
    }
    const isAnswered = input.at(-1)?.type === "function_call_output";
    const id = `${process.pid}_${n++}`;
    if (isAnswered) {
      const content = [{ type: "output_text", text: `answer ${id}` }];
      const item = { type: "message", id: `msg_${id}`, role: "assistant" };
      yield { type: "itemAdded", item: { ...item, content: [] } };
      yield { type: "itemDone", item: { ...item, content } };
    } else {
      const call = { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name: "update_plan" };
      const args = JSON.stringify({ plan: [{ step: "one", status: "completed" }] });
      yield { type: "itemDone", item: { ...call, arguments: args } };
    }
    yield { type: "completed", usage };
  },
};

const codex = await CodexClient.connect({
  transport: engine({ provider, home, cwd: path.join(home, "work"), store: killing }),
});
codex.onNotification("turn/completed", ({ turn }) => writeSync(1, `completed ${turn.id}\n`));
const thread = threadId ? await codex.resumeThread(threadId) : await codex.startThread();
writeSync(1, `thread ${thread.id}\n`);
await thread.run("one");
const compacted = new Promise((resolve) => {
  const stop = codex.onNotification("turn/completed", () => {
    stop();
    resolve();
  });
});
await thread.compact();
await compacted;
await thread.run("two");
await codex.disconnect();
writeSync(1, "done\n");
