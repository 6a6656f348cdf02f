/**
 * An engine on stdin and stdout, with a model that answers `re` and the user's text, but never answers a text that begins
 * with `hang`. It gets killed.
 */
import { createInterface } from "node:readline";
import { EngineServer, type ModelProvider } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import type { Transport } from "codexwright/rpc";

const usage = {
  totalTokens: 2,
  inputTokens: 1,
  outputTokens: 1,
  cachedInputTokens: 0,
  reasoningOutputTokens: 0,
};

const provider: ModelProvider = {
  id: "mock",
  models: () => Promise.resolve([]),
  // oxlint-disable-next-line require-await -- a provider is asynchronous
  async *stream({ input }) {
    const last = input.findLast(({ type, role }) => type === "message" && role === "user");
    const said = (last?.["content"] ?? []) as readonly { readonly text: string }[];
    const asked = said.map((part) => part.text).join("");
    if (asked.startsWith("hang")) await new Promise(() => {});
    const text = `re ${asked}`;
    const item = { type: "message", id: `msg_${crypto.randomUUID()}`, role: "assistant" };
    yield { type: "itemAdded", item: { ...item, content: [] } };
    yield { type: "text", itemId: item.id, delta: text };
    yield { type: "itemDone", item: { ...item, content: [{ type: "output_text", text }] } };
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
