import { CodexClient, type CodexClientOptions } from "codexwright";
import type { Transport, TransportSink } from "codexwright/rpc";

type Request = { readonly id: number; readonly method: string; readonly params: unknown };
/** The answer of a server to a request: the rest of the line after the id, or nothing. */
export type Answers = (request: Request) => string | undefined;

const HELLO = {
  userAgent: "codexwright/0.166.0 (none; none) none",
  codexHome: "/none",
  platformFamily: "unix",
  platformOs: "linux",
};

/** Opens a thread T with a running turn U. */
export const openAnswers: Answers = ({ method }) => {
  if (method === "thread/start")
    return `"result":{"thread":{"id":"T","turns":[]},"approvalPolicy":"on-request"}`;
  if (method === "turn/start") return `"result":{"turn":{"id":"U","items":[],"status":"inProgress"}}`;
  return `"error":{"code":-32600,"message":"no"}`;
};

/**
 * A connected client whose server sends the lines of the test synchronously, so that the test sees an error that a line
 * causes in the client.
 */
export async function hostile(options: Partial<CodexClientOptions> = {}, answers: Answers = openAnswers) {
  const sent: Record<string, unknown>[] = [];
  let sink: TransportSink | undefined;
  let answering = answers;
  const transport: Transport = {
    open: (given) => (sink = given),
    async send(text) {
      const message = JSON.parse(text) as Request;
      sent.push(message);
      if (message.method === undefined || message.id === undefined) return;
      const rest = message.method === "initialize" ? `"result":${JSON.stringify(HELLO)}` : answering(message);
      if (rest !== undefined) queueMicrotask(() => sink?.line(`{"id":${message.id},${rest}}`));
    },
    close: async () => sink?.closed({ message: "closed" }),
  };
  const codex = await CodexClient.connect({ transport: () => transport, ...options } as CodexClientOptions);
  const warnings: string[] = [];
  codex.on("warning", ({ code }) => warnings.push(code));
  return {
    codex,
    warnings,
    sent,
    /** The client's answers to server requests. */
    replies: () => sent.filter((message) => message["method"] === undefined),
    say(...lines: (string | object)[]): void {
      for (const line of lines) sink?.line(typeof line === "string" ? line : JSON.stringify(line));
    },
    /** Loses the connection. A client that reconnects finds the same server again. */
    drop: (): void => sink?.closed({ message: "lost", exitCode: 1 }),
    answer(next: Answers): void {
      answering = next;
    },
    [Symbol.asyncDispose]: () => codex.disconnect(),
  };
}

/** Waits for three turns of the event loop. Work that loads a module may take longer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Collects unhandled rejections while something runs. Each would end a program. */
export async function unhandled(run: () => Promise<void>): Promise<unknown[]> {
  const found: unknown[] = [];
  const listener = (reason: unknown): unknown => found.push(reason);
  process.on("unhandledRejection", listener);
  try {
    await run();
    await settle();
  } finally {
    process.off("unhandledRejection", listener);
  }
  return found;
}

/** Returns the CPU time of this process, which does not depend on the load of the machine. */
export async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
