import { readFileSync } from "node:fs";
import path from "node:path";

/** A message of the README's examples. */
export interface Message {
  readonly method?: string;
  readonly id?: number;
  readonly params?: unknown;
  readonly result?: unknown;
}

export interface Request extends Message {
  readonly method: string;
  readonly id: number;
}

/** A request of an example with the answers that the document shows. */
export interface Exchange {
  /** The method and the id of the example. */
  readonly key: string;
  readonly request: Request;
  /** The documented answers. There are several if the document shows several cases. */
  readonly answers: readonly unknown[];
}

/**
 * Every message in the app-server's README, in its order (docs/spec/spec-003.md). The document's comments and trailing
 * commas are removed. If the document writes `…` instead of fields, these fields are missing here.
 */
export const MESSAGES = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "examples.json"), "utf8"),
) as readonly Message[];

const isRequest = (message: Message): message is Request =>
  message.method !== undefined && message.id !== undefined;

/** The requests that the server sends and a client answers. */
export const FROM_SERVER: ReadonlySet<string> = new Set([
  "item/permissions/requestApproval",
  "item/tool/call",
]);

/** The requests of the examples with their answers. */
export const EXCHANGES: readonly Exchange[] = exchanges();

/** The notifications of the examples: each method with all its documented forms. */
export const NOTIFICATIONS: readonly Message[] = MESSAGES.filter(({ id }) => id === undefined);

function exchanges(): Exchange[] {
  const found: Exchange[] = [];
  for (const [place, message] of MESSAGES.entries()) {
    if (!isRequest(message)) continue;
    const key = `${message.method} ${message.id}`;
    const again = found.filter((each) => each.key === key || each.key.startsWith(`${key} #`)).length;
    // The answers to a request come before the next request with the same id.
    const rest = MESSAGES.slice(place + 1);
    const next = rest.findIndex((each) => isRequest(each) && each.id === message.id);
    const answers = (next < 0 ? rest : rest.slice(0, next)).filter(
      (each) => each.id === message.id && "result" in each,
    );
    found.push({
      key: again === 0 ? key : `${key} #${again + 1}`,
      request: message,
      answers: answers.map(({ result }) => result),
    });
  }
  return found;
}
