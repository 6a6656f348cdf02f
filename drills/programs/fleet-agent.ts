/**
 * `fleet-agent.js <ledger> <command of the work>`: the app-server of a run. It is our engine, with a model in the same
 * process: a turn runs the command, sets the state of the issue to `done`, and ends. It writes to the ledger when it
 * begins, while it lives and when it ends, and which other agents it has met at its beginning.
 */
import path from "node:path";
import { createInterface } from "node:readline";
import type { ModelProvider } from "@codexwright/engine";
import type { Transport } from "codexwright/rpc";
import { Ledger } from "../fleet/ledger.js";

const ALIVE_MS = 50;

const [file = "", work = ""] = process.argv.slice(2);
const issue = path.basename(process.cwd());
const ledger = new Ledger(file);
// First the entry, then the look. So of two agents that begin at the same moment, one meets the other.
ledger.write("begin", issue);
const others = ledger.living().filter(({ pid }) => pid !== process.pid);
ledger.write("met", issue, others.map((other) => other.issue).join(" "));
setInterval(() => ledger.write("alive", issue), ALIVE_MS);
process.on("exit", () => ledger.write("end", issue));

// The entries must not wait for the engine.
const { EngineServer } = await import("@codexwright/engine");
const { engineDefaults } = await import("@codexwright/engine/node");

const usage = {
  totalTokens: 2,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningOutputTokens: 0,
};

function call(name: string, args: object): Record<string, unknown> {
  const id = crypto.randomUUID();
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `${name}-${id}`,
    name,
    arguments: JSON.stringify(args),
  };
}

function answer(last: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  const ended = last?.["type"] === "function_call_output" ? String(last["call_id"]) : "";
  if (ended.startsWith("exec_command-")) return call("issue_update", { state: "done" });
  if (ended.startsWith("issue_update-")) {
    const content = [{ type: "output_text", text: "done" }];
    return { type: "message", id: `msg_${crypto.randomUUID()}`, role: "assistant", content };
  }
  return call("exec_command", { cmd: work, yield_time_ms: 30_000, login: false });
}

const provider: ModelProvider = {
  id: "mock",
  models: () => Promise.resolve([]),
  // oxlint-disable-next-line require-await -- a provider is asynchronous
  async *stream({ input }) {
    yield { type: "itemDone", item: answer(input.at(-1)) };
    yield { type: "completed", usage };
  },
};

const standard: Transport = {
  open(sink) {
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (text) => sink.line(text));
    lines.on("close", () => process.exit());
  },
  send: (text) =>
    new Promise((resolve) => {
      process.stdout.write(`${text}\n`, () => resolve());
    }),
  close: () => Promise.resolve(),
};

const server = new EngineServer(await engineDefaults({ provider }));
server.accept(standard);
