import { setTimeout as delay } from "node:timers/promises";

export interface SlackOptions {
  /** For example https://slack.com/api. */
  readonly apiUrl: string;
  readonly token: string;
  /** The least time between two updates of a message. */
  readonly intervalMs: number;
}

/** A place for messages: a thread in a channel. */
export interface Place {
  readonly channel: string;
  readonly thread_ts: string;
}

/**
 * Calls a method of the Web API. If Slack limits the rate, repeats the call after the time that Slack names.
 */
export async function callSlack(
  { apiUrl, token }: SlackOptions,
  method: "chat.postMessage" | "chat.update",
  body: object,
): Promise<{ readonly ts: string }> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${apiUrl}/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(body),
    });
    if (response.status === 429 && attempt < 5) {
      await delay(Number(response.headers.get("retry-after") ?? 1) * 1000);
      continue;
    }
    const answer = (await response.json()) as { ok: boolean; ts: string; error?: string };
    if (!answer.ok) throw Object.assign(new Error("Slack refused a call"), { code: `slack_${answer.error}` });
    return answer;
  }
}

/** Escapes a text, so that the model cannot notify a channel or forge a link, and cuts it to what Slack shows. */
export function plain(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.length <= 3900 ? escaped : `${escaped.slice(0, 3900)} …`;
}

/** A message that is updated while its text grows: at most one update per interval, always with the newest text. */
export class LiveMessage {
  readonly #options: SlackOptions;
  readonly #message: { readonly channel: string; readonly ts: string };
  #next: string | undefined;
  #sending: Promise<void> | undefined;
  readonly #ended = new AbortController();

  constructor(options: SlackOptions, message: { readonly channel: string; readonly ts: string }) {
    this.#options = options;
    this.#message = message;
  }

  set(text: string): void {
    this.#next = text;
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
  }

  /** Sends the last text without waiting for the interval. */
  async end(text: string): Promise<void> {
    this.#ended.abort();
    this.#next = undefined;
    await this.#sending;
    await this.#update(text);
  }

  async #send(): Promise<void> {
    while (this.#next !== undefined) {
      const text = this.#next;
      this.#next = undefined;
      // A failed update is ignored, because a later update has all of the text.
      await this.#update(text).catch(() => {});
      await delay(this.#options.intervalMs, undefined, { signal: this.#ended.signal }).catch(() => {});
    }
  }

  async #update(text: string): Promise<void> {
    await callSlack(this.#options, "chat.update", { ...this.#message, text: plain(text) });
  }
}
