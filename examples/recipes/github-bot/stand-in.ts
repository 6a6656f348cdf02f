/** Stands in for GitHub: a repository on disk, its API on loopback, and the webhook's signature. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { reply, type ModelItem, type ModelRequest } from "@codexwright/testing";
import { serveWeb } from "../web-server.ts";

export interface PostedReview {
  readonly commit_id: string;
  readonly body: string;
  readonly comments?: readonly { readonly path: string; readonly line: number; readonly body: string }[];
}

/** Fixed, so that each run makes the same commits. */
const GIT_ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

export async function githubStandIn() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "github-")));
  const repository = path.join(root, "acme/shop.git");
  mkdirSync(repository, { recursive: true });
  const git = (...args: readonly string[]): string => {
    const env = { ...process.env, ...GIT_ENV };
    return execFileSync("git", args, { cwd: repository, env, encoding: "utf8" }).trim();
  };
  const commit = (text: string): string => {
    writeFileSync(path.join(repository, "parser.js"), text);
    git("add", ".");
    git("commit", "--quiet", "--message", "change");
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet", "--initial-branch", "main");
  commit("export const first = (text) => text;\n");
  const reviews: PostedReview[] = [];
  const api = await serveWeb(async (request) => {
    if (!new URL(request.url).pathname.endsWith("/repos/acme/shop/pulls/7/reviews"))
      return new Response("", { status: 404 });
    if (request.headers.get("authorization") !== "Bearer the-token") return new Response("", { status: 401 });
    reviews.push((await request.json()) as PostedReview);
    return Response.json({ id: reviews.length });
  });
  return {
    reviews,
    options: {
      apiUrl: api.url,
      gitUrl: `file://${root}`,
      token: "the-token",
      secret: "the-secret",
      folder: path.join(root, "bot"),
    },
    /** Makes a commit the head of pull request 7. */
    push(text: string): string {
      git("checkout", "--quiet", "-B", "change", "main");
      const head = commit(text);
      git("update-ref", "refs/pull/7/head", head);
      return head;
    },
    delivery(id: string, secret = "the-secret"): Request {
      const body = JSON.stringify({
        action: "synchronize",
        number: 7,
        repository: { full_name: "acme/shop" },
        pull_request: { base: { ref: "main" } },
      });
      const headers = {
        "x-github-event": "pull_request",
        "x-github-delivery": id,
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      };
      return new Request("http://bot/webhook", { method: "POST", headers, body });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await api[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
}

/** The answer of a reviewer that finds a problem in line 1 of parser.js. */
export function review({ input }: ModelRequest): ModelItem {
  const [, cwd = "/"] = /<cwd>(.*?)<\/cwd>/.exec(JSON.stringify(input)) ?? [];
  const finding = {
    title: "[P1] Handle the empty text",
    body: "An empty text has no first word.",
    confidence_score: 0.9,
    priority: 1,
    code_location: { absolute_file_path: `${cwd}/parser.js`, line_range: { start: 1, end: 1 } },
  };
  const overall = { overall_correctness: "patch is incorrect", overall_confidence_score: 0.9 };
  return reply(JSON.stringify({ findings: [finding], overall_explanation: "One problem.", ...overall }));
}
