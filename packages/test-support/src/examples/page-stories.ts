import { exec, reply, toolCall, usage, type ModelItem } from "@codexwright/testing";
import { oauthMcpServer } from "../oauth-mcp-server.ts";
import type { StoryMaker } from "./story.ts";

const note = (text: string): ModelItem => toolCall("add_note", { text }, { namespace: "mcp__notes" });

const FINDING = {
  title: "[P1] Handle the empty input",
  body: "An empty text has no first token.",
  confidence_score: 0.9,
  priority: 1,
  code_location: { absolute_file_path: "/project/parser.ts", line_range: { start: 3, end: 4 } },
};

const review = (explanation: string, ...findings: readonly object[]): ModelItem =>
  reply(
    JSON.stringify({
      findings,
      overall_correctness: findings.length > 0 ? "patch is incorrect" : "patch is correct",
      overall_explanation: explanation,
      overall_confidence_score: 0.9,
    }),
  );

/** Tokens that the model of the compaction example reports for each request. */
const TOKENS = [30_000, 600, 45_000, 700, 800];

/** The stories of the examples of reviews, MCP servers, configuration, images and compaction. */
export const PAGE_STORIES: Readonly<Record<string, StoryMaker>> = {
  reviews: () => ({
    script: [
      review("The parser fails for an empty text.", FINDING),
      review("The branch is good."),
      review("The commit is good."),
      review("The parser fails for an empty text.", FINDING),
      review("The parser fails for an empty text.", FINDING),
    ],
  }),

  "mcp-servers": () => ({
    script: [note("The parser is done."), reply("Noted."), note("The tests pass."), reply("Noted.")],
  }),

  "mcp-login": async () => {
    const remote = await oauthMcpServer();
    return {
      script: [],
      config: `mcp_oauth_credentials_store = "file"\n[mcp_servers.remote]\nurl = "${remote.url}"\n`,
      end: () => void remote[Symbol.asyncDispose](),
    };
  },

  "models-and-config": () => ({ script: () => reply("ok") }),

  images: () => ({
    script: ({ input }) => {
      const content = input.at(-1)?.["content"] as { readonly type: string }[];
      const images = content.filter(({ type }) => type === "input_image");
      return reply(images.length > 0 ? `Yes, all ${images.length} are.` : "There is no image.");
    },
  }),

  compaction: () => ({
    script: ({ index }) => [
      reply(index === 1 || index === 3 ? "A summary." : `answer ${index}`),
      usage({ inputTokens: TOKENS[index] ?? 0, outputTokens: 10 }),
    ],
  }),

  "server-from-scratch": () => ({ script: [] }),

  "engine-tools": () => ({ script: [] }),

  "engine-parts": () => ({
    script: [
      [exec("echo changed > migrations/1.sql"), exec("echo done > notes.txt")],
      reply("I wrote the notes."),
      reply("I wrote the notes, and could not change the migration."),
    ],
    workspace: { "migrations/1.sql": "create" },
  }),

  "engine-embed": () => ({
    script: [
      exec("apply_patch <<'PATCH'\n*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\nPATCH"),
      reply("hello.txt says hello."),
      reply("Hello."),
      reply("Hello again."),
    ],
  }),

  typescript: () => ({ script: [reply("Hello.")] }),
};
