/** A Slack bot: a thread in Slack is a thread of Codex, and approvals are buttons. */
// #region code
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { CodexClient, type Thread } from "codexwright";
import { Approvals } from "./approvals.ts";
import { callSlack, LiveMessage, type Place, type SlackOptions } from "./slack.ts";

export type SlackMessage = { channel: string; user: string; text: string; ts: string; thread_ts?: string };

export interface BotOptions extends SlackOptions {
  /** Ids of the users who may give tasks and press buttons. */
  readonly users: ReadonlySet<string>;
  /** A JSON file with the Codex thread of each Slack thread. */
  readonly threadsFile: string;
  /** The folder that Codex works in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class SlackBot implements AsyncDisposable {
  readonly #options: BotOptions;
  readonly #approvals: Approvals;
  readonly #threads = new Map<string, Promise<Thread>>();
  readonly #places = new Map<string, Place>();
  readonly #codex: CodexClient;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#approvals = new Approvals(options);
    this.#codex = new CodexClient({
      cwd: options.cwd,
      env: { SLACK_BOT_TOKEN: undefined, SLACK_SIGNING_SECRET: undefined, ...options.env },
      sandbox: "workspace-write",
      approvalPolicy: "on-request",
      onApproval: async (request) => {
        const place = this.#places.get(request.threadId);
        return place === undefined ? "decline" : await this.#approvals.ask(request, place);
      },
    });
  }

  async connect(): Promise<void> {
    await this.#codex.connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#codex.disconnect();
  }

  press(id: string, accepted: boolean, user: string): void {
    if (this.#options.users.has(user)) this.#approvals.press(id, accepted, user);
  }

  async answer({ channel, user, text, ts, thread_ts = ts }: SlackMessage): Promise<void> {
    if (!this.#options.users.has(user)) return;
    const place = { channel, thread_ts };
    const say = (words: string) => callSlack(this.#options, "chat.postMessage", { ...place, text: words });
    try {
      const { account, requiresOpenaiAuth } = await this.#codex.account();
      if (requiresOpenaiAuth && account === null) {
        await say("Codex is not logged in on the machine of this bot.");
        return;
      }
      const thread = await this.#threadOf(place);
      const task = text.replace(/^<@\w+>\s*/, "");
      const { outcome, turn } = await thread.send(task, { mode: "steer" });
      if (outcome === "steered") return;
      await turn.started;
      this.#remember(place, thread.id);
      const message = new LiveMessage(this.#options, { channel, ts: (await say("Working …")).ts });
      let words = "";
      for await (const event of turn)
        if (event.method === "item/agentMessage/delta") message.set((words += event.params.delta));
      await message.end((await turn.completed).agentMessage || "Done.");
    } catch (error) {
      // Only the code, because a message may quote files.
      await say(`Failed: ${(error as { code?: string }).code}`).catch(() => {});
    }
  }

  /** The thread of Codex for a thread in Slack: known, resumed after a restart, or new. */
  async #threadOf(place: Place): Promise<Thread> {
    const key = keyOf(place);
    let opening = this.#threads.get(key);
    if (!opening) {
      const id = this.#stored()[key];
      opening = id === undefined ? this.#codex.startThread() : this.#codex.resumeThread(id);
      this.#threads.set(key, opening);
      opening.catch(() => this.#threads.delete(key));
    }
    const thread = await opening;
    this.#places.set(thread.id, place);
    return thread;
  }

  /** Called when a turn has started: a thread without a turn cannot be resumed. */
  #remember(place: Place, id: string): void {
    const threads = { ...this.#stored(), [keyOf(place)]: id };
    writeFileSync(this.#options.threadsFile, JSON.stringify(threads));
  }

  #stored(): Record<string, string> {
    const { threadsFile } = this.#options;
    return existsSync(threadsFile) ? JSON.parse(readFileSync(threadsFile, "utf8")) : {};
  }
}

const keyOf = ({ channel, thread_ts }: Place): string => `${channel}:${thread_ts}`;
// #endregion code
