// #region code
import { randomUUID } from "node:crypto";
import type { ApprovalRequest } from "codexwright";
import { callSlack, plain, type Place, type SlackOptions } from "./slack.ts";

type Press = { readonly accepted: boolean; readonly by?: string };

/** Open approvals, each with two buttons in Slack. */
export class Approvals {
  readonly #options: SlackOptions;
  readonly #open = new Map<string, (press: Press) => void>();

  constructor(options: SlackOptions) {
    this.#options = options;
  }

  press(id: string, accepted: boolean, by: string): void {
    this.#open.get(id)?.({ accepted, by });
  }

  async ask(request: ApprovalRequest, place: Place): Promise<"accept" | "decline"> {
    const text = plain(`May Codex ${subjectOf(request)}? ${request.reason ?? ""}`);
    const id = randomUUID();
    const button = (name: string) => ({
      type: "button",
      action_id: name,
      value: id,
      text: { type: "plain_text", text: name },
    });
    const section = { type: "section", text: { type: "mrkdwn", text } };
    const blocks = [section, { type: "actions", elements: [button("accept"), button("decline")] }];
    const pressed = new Promise<Press>((resolve) => {
      this.#open.set(id, resolve);
      request.signal.addEventListener("abort", () => resolve({ accepted: false }));
    });
    const { ts } = await callSlack(this.#options, "chat.postMessage", { ...place, text, blocks });
    const { accepted, by } = await pressed;
    this.#open.delete(id);
    const outcome = by === undefined ? "Withdrawn." : `${accepted ? "Accepted" : "Declined"} by <@${by}>.`;
    const update = { channel: place.channel, ts, text: `${text} ${outcome}`, blocks: [] };
    await callSlack(this.#options, "chat.update", update).catch(() => {});
    return accepted ? "accept" : "decline";
  }
}

function subjectOf(request: ApprovalRequest): string {
  if (request.kind === "command") return `run ${request.script ?? request.command}`;
  if (request.kind === "fileChange") return `change ${request.changes?.map(({ path }) => path).join(", ")}`;
  return request.kind === "network" ? `reach ${request.host}` : `call a tool of ${request.serverName}`;
}
// #endregion code
