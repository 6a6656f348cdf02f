/** A webhook that lets Codex review pull requests. */
// #region code
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SUPERSEDED, type NewestRuns } from "./newest-runs.ts";
import { reviewPullRequest, type PullRequest, type ReviewOptions } from "./review.ts";

export interface BotOptions extends ReviewOptions {
  /** The secret of the webhook. */
  readonly secret: string;
  readonly log: (line: string) => void;
}

const ACTIONS = new Set(["opened", "reopened", "ready_for_review", "synchronize"]);

/**
 * Returns the handler of the webhook. It answers immediately: GitHub waits 10 seconds, and a review takes
 * longer.
 */
export function githubBot(options: BotOptions, runs: NewestRuns): (request: Request) => Promise<Response> {
  const done = path.join(options.folder, "deliveries");
  mkdirSync(done, { recursive: true });
  const running = new Set<string>();
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    const signature = request.headers.get("x-hub-signature-256") ?? "";
    if (!isSigned(body, signature, options.secret)) return new Response("bad signature", { status: 401 });
    const delivery = request.headers.get("x-github-delivery") ?? "";
    if (!/^[\w-]{1,64}$/.test(delivery)) return new Response("bad delivery id", { status: 400 });
    const event = JSON.parse(body.toString()) as PullRequest & { readonly action?: string };
    if (request.headers.get("x-github-event") !== "pull_request" || !ACTIONS.has(event.action ?? ""))
      return new Response("nothing to do", { status: 202 });
    const finish = path.join(done, delivery);
    if (running.has(delivery) || existsSync(finish))
      return new Response("already delivered", { status: 202 });
    running.add(delivery);
    const key = `${event.repository.full_name}#${event.number}`;
    runs.start(key, async (signal) => {
      try {
        options.log(`${key}: ${await reviewPullRequest(event, options, signal)}`);
        writeFileSync(finish, "");
      } catch (error) {
        // Only the code, because a message may quote the repository. GitHub can send a failed delivery again.
        options.log(`${key}: ${signal.aborted ? signal.reason : (error as { code?: string }).code}`);
        if (signal.reason === SUPERSEDED) writeFileSync(finish, "");
      } finally {
        running.delete(delivery);
      }
    });
    return new Response("review started", { status: 202 });
  };
}

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
// #endregion code
