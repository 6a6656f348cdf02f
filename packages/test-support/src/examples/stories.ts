import {
  applyPatch,
  exec,
  fail,
  gate,
  hang,
  reply,
  toolCall,
  type ModelItem,
  type ModelRequest,
} from "@codexwright/testing";
import { realtimeUpstream, textOf, utterance } from "../realtime-upstream.ts";
import { isGuard, processesOf } from "../world.ts";
import { AGENT_STORIES } from "./agent-stories.ts";
import { PAGE_STORIES } from "./page-stories.ts";
import type { StoryMaker } from "./story.ts";

/** True for the first call of a turn: later calls end with the output of a tool. */
const opens = (request: ModelRequest): boolean => request.input.at(-1)?.["type"] === "message";
const heard = (request: ModelRequest): ModelItem => reply(`Heard: ${request.lastUserText}`, { deltas: 2 });
const json = (value: unknown): ModelItem => reply(JSON.stringify(value));

const QUESTION = {
  id: "colour",
  header: "Colour",
  question: "Which colour?",
  options: [
    { label: "Red", description: "like a rose" },
    { label: "Blue", description: "like the sea" },
  ],
};

/** The story of each example that needs one. The model of any other example answers with the text that it was sent. */
const STORIES: Readonly<Record<string, StoryMaker>> = {
  ...AGENT_STORIES,
  ...PAGE_STORIES,

  quickstart: () => ({
    script: [
      exec("echo 1 test failed"),
      applyPatch("*** Begin Patch\n*** Add File: fixed.txt\n+fixed\n*** End Patch"),
      reply("The test was wrong.", { deltas: 4 }),
    ],
  }),

  threads: () => ({
    script: (request) =>
      request.lastUserText === "Now make it pass." && opens(request)
        ? applyPatch("*** Add File: parser.test.ts\n+test();")
        : heard(request),
  }),

  streaming: () => {
    const held = gate();
    return {
      script: (request) => {
        const asked = request.lastUserText;
        if (asked.startsWith("List")) {
          if (opens(request)) return exec("echo README.md");
          return reply("A project with a README.", { deltas: 4 });
        }
        if (asked.startsWith("Tell")) return reply("A river runs.", { deltas: ["A river", held, " runs."] });
        return asked.startsWith("Wait") ? hang() : heard(request);
      },
      cues: { "steered\n": () => held.open() },
    };
  },

  realtime: async () => {
    const upstream = await realtimeUpstream((event) =>
      textOf(event) === undefined ? [] : utterance("The sea, ", "moved by the moon."),
    );
    return { script: [], config: upstream.config, end: () => upstream[Symbol.dispose]() };
  },

  approvals: () => {
    const touch = exec("touch todo.txt", { justification: "needs the file" });
    return {
      script: [
        toolCall("request_user_input", { questions: [QUESTION] }),
        applyPatch("*** Add File: notes.md\n+red"),
        touch,
        exec("echo clean", { justification: "cleans up" }),
        applyPatch("*** Add File: other.txt\n+red"),
        reply("done"),
        touch,
        reply("again"),
        exec("rm -r build", { justification: "as you asked" }),
      ],
      cues: { "(cleans up) [y/N] ": (child) => void child.stdin?.write("y\n") },
    };
  },

  tools: () => ({
    script: [
      [toolCall("stock", { article: "bolt" }), toolCall("stock", { article: "nut", warehouse: "east" })],
      [
        toolCall("ask_supplier", { article: "bolt" }),
        toolCall("photo", { article: "bolt" }),
        toolCall("order", { article: "bolt", pieces: 500 }),
        toolCall("order", { article: "bolt", pieces: 0 }),
      ],
      toolCall("order", { article: "bolt", pieces: 5 }),
      reply("Ordered 5 bolts."),
      toolCall("stock", { article: "nut", warehouse: "south" }),
      ({ toolOutputs }) => reply(`Told: ${toolOutputs["call_4_0"]}`),
    ],
  }),

  "structured-output": () => ({
    script: [
      json({ verdict: "good", summary: "Small and clear.", line: null }),
      json({ verdict: "bad", summary: "No.", line: 3 }),
      json({ verdict: "bad", summary: "No test covers it.", line: 3 }),
      json({ verdict: "fine", summary: "Yes.", line: null }),
      json({ scores: [{ file: "a.ts", score: 0.5 }] }),
    ],
  }),

  errors: ({ killServer }) => ({
    script: (request) => {
      const asked = request.lastUserText;
      if (asked.startsWith("Say")) return fail(429);
      if (asked.startsWith("Think")) return hang();
      if (asked.startsWith("Work")) killServer();
      return asked.startsWith("Work") ? hang() : heard(request);
    },
  }),

  recovery: ({ killServer }) => ({
    script: async (request) => {
      if (!request.lastUserText.startsWith("Work")) return heard(request);
      // At the start of a thread Codex asks the user's shell for its set-up. A Codex that is killed meanwhile leaves the shell behind.
      const [, root] = /<cwd>([^<]*)\/workspace<\/cwd>/.exec(JSON.stringify(request.input)) ?? [];
      if (root === undefined) throw new Error("the request names no workspace");
      const working = (): number => processesOf(root).filter((pid) => !isGuard(pid)).length;
      while (working() > 2) await new Promise((resolve) => setTimeout(resolve, 5));
      killServer();
      return hang();
    },
  }),

  "record-and-replay": () => ({ script: ({ lastUserText }) => reply(`Heard: ${lastUserText}`) }),

  gateway: () => ({
    script: [
      reply("Hello."),
      exec("touch by-codex.txt", { justification: "to write it" }),
      reply("Written."),
    ],
  }),
};

/** The story of an example. */
export function storyOf(example: string): StoryMaker {
  return STORIES[example] ?? (() => ({ script: heard }));
}
