/** The endpoint of the bot: events and interactivity of Slack, each with its signature. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { SlackBot, SlackMessage } from "./bot.ts";

interface Envelope {
  readonly type: string;
  readonly challenge?: string;
  readonly event?: SlackMessage & { readonly bot_id?: string };
}

interface Interaction {
  readonly user: { readonly id: string };
  readonly actions: readonly { readonly action_id: string; readonly value: string }[];
}

/** How many events are remembered: more than Slack sends before it sends one of them again. */
const MOST_EVENTS = 10_000;

/** The handler answers immediately, because Slack sends an event again if it gets no answer within 3 seconds. */
export function slackEndpoint(bot: SlackBot, signingSecret: string): (request: Request) => Promise<Response> {
  const seen = new Set<string>();
  return async (request) => {
    const body = await request.text();
    if (!isSigned(body, request.headers, signingSecret))
      return new Response("bad signature", { status: 401 });
    if (request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) {
      const { user, actions } = JSON.parse(new URLSearchParams(body).get("payload") ?? "") as Interaction;
      for (const { action_id, value } of actions) bot.press(value, action_id === "accept", user.id);
      return new Response();
    }
    const { type, challenge, event } = JSON.parse(body) as Envelope;
    if (type === "url_verification") return Response.json({ challenge });
    if (!event?.text || event.bot_id !== undefined) return new Response();
    // Slack may send an event again, with x-slack-retry-num. It sends a mention once for each kind of event
    // that the app listens to.
    const key = `${event.channel}:${event.ts}`;
    if (seen.has(key)) return new Response();
    seen.add(key);
    const [oldest = ""] = seen;
    if (seen.size > MOST_EVENTS) seen.delete(oldest);
    void bot.answer(event);
    return new Response();
  };
}

function isSigned(body: string, headers: Headers, secret: string): boolean {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  // Rejects a recorded request that is sent again later.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  const expected = Buffer.from(`v0=${digest}`);
  const given = Buffer.from(headers.get("x-slack-signature") ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
