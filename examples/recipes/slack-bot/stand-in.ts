/** Stands in for Slack: its Web API on loopback, and signed requests to the bot. */
import { createHmac } from "node:crypto";
import { serveWeb } from "../web-server.ts";

export interface Posted {
  readonly ts: string;
  text: string;
  /** Values of the buttons below the message. */
  buttons: readonly string[];
  updates: number;
}

interface Call {
  readonly ts?: string;
  readonly text: string;
  readonly blocks?: readonly { readonly elements?: readonly { readonly value: string }[] }[];
}

export async function slackStandIn() {
  const messages: Posted[] = [];
  const waiting = new Set<() => void>();
  let limited = 1;
  const api = await serveWeb(async (request) => {
    if (request.headers.get("authorization") !== "Bearer the-token")
      return Response.json({ ok: false, error: "invalid_auth" });
    const { ts, text, blocks = [] } = (await request.json()) as Call;
    if (ts !== undefined && limited-- > 0)
      return new Response("", { status: 429, headers: { "retry-after": "0" } });
    const buttons = blocks.flatMap(({ elements = [] }) => elements.map(({ value }) => value));
    const message = messages.find((one) => one.ts === ts);
    if (message) Object.assign(message, { text, buttons, updates: message.updates + 1 });
    else messages.push({ ts: `${messages.length + 1}.0`, text, buttons, updates: 0 });
    for (const check of waiting) check();
    return Response.json({ ok: true, ts: ts ?? messages.at(-1)?.ts });
  });
  const signed = (body: string, type: string, secret: string): Request => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
    return new Request("http://bot/slack", {
      method: "POST",
      headers: {
        "content-type": type,
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${signature}`,
      },
      body,
    });
  };
  return {
    messages,
    options: { apiUrl: api.url, token: "the-token" },
    /** A request of the Events API with this body. */
    send: (body: object, secret = "the-secret") => signed(JSON.stringify(body), "application/json", secret),
    /** A message of a user in the Slack thread 100.0. */
    message(ts: string, text: string, user = "U1"): Request {
      const event = { type: "app_mention", channel: "C1", user, text, ts, thread_ts: "100.0" };
      return this.send({ type: "event_callback", event });
    },
    press(action_id: "accept" | "decline", value: string, user = "U1"): Request {
      const payload = JSON.stringify({ user: { id: user }, actions: [{ action_id, value }] });
      const body = new URLSearchParams({ payload }).toString();
      return signed(body, "application/x-www-form-urlencoded", "the-secret");
    },
    /** Resolves with the first message for which this is true. */
    async until(is: (message: Posted) => boolean): Promise<Posted> {
      for (;;) {
        const found = messages.find(is);
        if (found) return found;
        await new Promise<void>((resolve) => {
          const check = (): void => {
            waiting.delete(check);
            resolve();
          };
          waiting.add(check);
        });
      }
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
