/** A deviation of 0.166.0 from an example of the README of 0.117 to 0.120 (docs/spec/spec-003.md). */
interface Deviation {
  /** The result of the comparison. For a rejected request, it has the server's message. */
  readonly found: readonly string[];
  readonly why: string;
}

/**
 * Every deviation, by the method and id of the example. The test fails on any other deviation, and on one that has
 * disappeared.
 */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  "thread/start 10": {
    found: [
      "refused: Invalid request: unknown variant `workspaceWrite`, expected one of `read-only`, `workspace-write`, `danger-full-access`",
    ],
    why: "The sandbox mode of a thread is written with hyphens. Our client translates the README's spelling.",
  },
  "thread/start 10, amended": {
    found: ["refused: deferred dynamic tool must include a namespace: lookup_ticket"],
    why: "A tool with deferLoading needs a namespace.",
  },
  "thread/fork 12": {
    found: ["refused: ephemeral paginated thread/fork requires `excludeTurns: true`"],
    why: "An ephemeral fork of a thread with paginated history cannot return its turns.",
  },
  "thread/list 20": {
    found: [
      "data[].agentNickname is null, documented string",
      "data[].agentRole is null, documented string",
      "nextCursor is null, documented string",
    ],
    why: "As the README says in words: they are null for a thread that does not belong to a sub-agent, and on the last page.",
  },
  "thread/loaded/list 21": {
    found: ["refused: Invalid request: missing field `params`"],
    why: "Params are required; `{}` is enough. Our client always sends them.",
  },
  "thread/unsubscribe 22": {
    found: ["the thread stays loaded"],
    why: "Since 0.125, the last unsubscribe unloads a thread only after 30 minutes.",
  },
  "turn/start 30": {
    found: [
      "refused: Invalid request: unknown variant `unlessTrusted`, expected one of `untrusted`, `on-request`, `granular`, `never`",
    ],
    why: "The approval policy is called `untrusted`. Our client translates the README's spelling.",
  },
  "command/exec 32": {
    found: ["refused: command/exec size requires tty: true"],
    why: "The example itself says that size is valid only with tty, and has no tty.",
  },
  "fs/watch 44": {
    found: ["refused: Invalid request: missing field `watchId`"],
    why: "The client chooses the id of a watch.",
  },
  "fs/watch 44, amended": {
    found: ["watchId is missing"],
    why: "The answer has only the path, because the client knows the id.",
  },
  "account/rateLimits/read 7": {
    found: ["refused: chatgpt authentication required to read rate limits"],
    why: "Only a ChatGPT login has rate limits. With one, account.test.ts shows the documented answer.",
  },
  'account/updated {"authMode":"chatgpt","planType":"plus"}': {
    found: ['authMode is "apikey", documented "chatgpt"', "planType is null, documented string"],
    why: "A ChatGPT login needs a person and the network. account.test.ts shows one by tokens.",
  },
};

/** Notifications of examples that do not occur here, with the reason. */
export const UNHEARD: Readonly<Record<string, string>> = {
  "app/list/updated": "Apps are listed for a ChatGPT login only.",
  "thread/closed": "It comes when a thread is unloaded: since 0.125, 30 minutes after the last unsubscribe.",
};

/** Requests of examples that are not sent, with the reason. */
export const NEVER_SENT: Readonly<Record<string, string>> = {
  "account/login/start 4": "OpenAI issues device codes, which a test must not request; see account.test.ts.",
};
