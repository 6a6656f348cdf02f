import { expect } from "vitest";
import { play, shown } from "@codexwright/test-support/play";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";

const PINNED = { against: "pinned" } as const;
const lines = (text: string): string[] => text.trimEnd().split("\n");

verifies(
  "docs.examples",
  "getting-started: a tool, an approval and the streamed answer, with its own scripted model",
  async () => {
    const { stdout } = await play("getting-started");
    expect(lines(stdout)).toEqual(shown("getting-started"));
  },
  PINNED,
);

verifies(
  "docs.examples",
  "typed-output: a typed answer, with its own scripted model",
  async () => {
    const { stdout } = await play("typed-output");
    expect(stdout).toBe("good - Small and clear.\n");
  },
  PINNED,
);

verifies(
  ["docs.examples", "review"],
  "reviews: findings as data for every target, inline and detached",
  async () => {
    const { stdout, requests } = await play("reviews");
    expect(lines(stdout)).toEqual(shown("reviews"));
    expect(requests.map(({ lastUserText }) => lastUserText)).toMatchObject(
      [
        /staged, unstaged, and untracked/,
        /Find the base branch first/,
        /commit 4f2a9c1 \("Read numbers"\)/,
        /^Review parser.ts for inputs that make it throw\.$/,
        /staged, unstaged, and untracked/,
      ].map((pattern) => expect.stringMatching(pattern) as string),
    );
  },
  PINNED,
);

verifies(
  ["docs.examples", "requests.mcp-tool", "requests.elicitation"],
  "mcp-servers: a server for one thread, an approval for the session, questions, a resource",
  async () => {
    const { stdout, requests } = await play("mcp-servers");
    expect(lines(stdout)).toEqual(shown("mcp-servers").slice(0, 8));
    expect(requests.at(-1)?.toolOutputs["call_2_0"]).toContain("note: accept");
  },
  PINNED,
);

verifies(
  ["docs.examples", "mcp.login"],
  "mcp-login: shows the URL of a server that needs a login, and cancels the login",
  async () => {
    const { stdout } = await play("mcp-login");
    expect(lines(stdout.replace(/(?<=^open )http:\S+/m, "https://…"))).toEqual(shown("mcp-servers").slice(8));
    expect(stdout).toMatch(/^open http:\S+scope=read/m);
  },
  PINNED,
);

verifies(
  ["docs.examples", "config.write", "config.conflict"],
  "models-and-config: a provider by flags, overrides of a thread and a turn, a write and a conflict",
  async () => {
    const { stdout, requests } = await play("models-and-config");
    expect(lines(stdout)).toEqual(shown("models-and-config"));
    const asked = requests.map(({ body }) => [
      body["model"],
      (body["reasoning"] as { effort: string }).effort,
    ]);
    expect(asked).toEqual([
      ["small", "low"],
      ["large", "high"],
      ["large", "high"],
    ]);
  },
  PINNED,
);

verifies(
  "docs.examples",
  "images: a file and a data URL reach the model; a remote URL is refused, a missing file becomes text",
  async () => {
    const { stdout, requests } = await play("images");
    expect(lines(stdout)).toEqual(shown("images"));
    expect(requests).toHaveLength(2);
    expect(requests[1]?.lastUserText).toContain("Codex could not read the local image at");
  },
  PINNED,
);

verifies(
  "docs.examples",
  "compaction: on request as a separate turn, and automatically as an item of the next turn",
  async () => {
    const { stdout, requests } = await play("compaction");
    expect(lines(stdout)).toEqual(shown("compaction"));
    const last = JSON.stringify(requests.at(-1)?.input);
    expect(last).toContain("A summary.");
    expect(last).toContain("Read all the tests.");
    expect(last).not.toContain("answer 2");
  },
  PINNED,
);

verifies(
  "docs.examples",
  "server-from-scratch: our own server streams a turn to a client over a websocket",
  async () => {
    const { stdout } = await play("server-from-scratch");
    expect(lines(stdout)).toEqual(shown("server-from-scratch"));
  },
  PINNED,
);

verifies(
  ["docs.examples", "engine.ways.transport", "engine.ways.defaults"],
  "engine-embed: a client, a provider of its own, and two clients of one listener",
  async () => {
    const { stdout } = await play("engine-embed");
    expect(lines(stdout)).toEqual(shown("engine-embed"));
  },
);

verifies(
  ["docs.examples", "engine.records.sqlite"],
  "engine-parts: a store and a sandbox of the program that embeds the engine",
  async () => {
    const { stdout, files } = await play("engine-parts");
    expect(lines(stdout)).toEqual(shown("engine-parts"));
    expect(files).toContain("notes.txt");
  },
  { ...PINNED, skip: unlessLinux },
);

verifies(
  ["docs.examples", "engine.hooks.tool", "engine.loop.own-tools"],
  "engine-tools: the model calls tools of the program that embeds the engine",
  async () => {
    const { stdout } = await play("engine-tools");
    expect(lines(stdout)).toEqual(shown("engine-tools"));
  },
  PINNED,
);

verifies(
  "docs.examples",
  "typescript: disconnects a client without `await using`",
  async () => {
    const { stdout } = await play("typescript");
    expect(lines(stdout)).toEqual(shown("typescript"));
  },
  PINNED,
);

verifies(
  ["docs.examples", "stdio.lease"],
  "server-process: a server that is started by a command, and killed when its lease is over",
  async () => {
    const { stdout } = await play("lease");
    expect(lines(stdout)).toEqual(shown("server-process"));
  },
  PINNED,
);
