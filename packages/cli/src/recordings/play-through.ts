import { replay, type RecordedEntry, type Recording } from "codexwright/recording";

/** The result of playing a recording against itself. */
export interface PlayReport {
  readonly connections: number;
  /** Client messages that were sent again. */
  readonly sent: number;
  /** Server messages that were received again. */
  readonly received: number;
  /** Requests of either side that have no answer. This is not an error. */
  readonly unanswered: number;
  /** Why the recording is not complete; empty if it is. */
  readonly problems: readonly string[];
}

type Outgoing = Extract<RecordedEntry, { direction: "in" | "out" }>;

/** Sends the client's messages again, and checks that every server message comes back. */
export async function playThrough(recording: Recording): Promise<PlayReport> {
  const connections = byConnection(recording);
  const server = replay(recording);
  const problems: string[] = [];
  let sent = 0;
  let received = 0;
  let unanswered = 0;
  for (const [number, entries] of connections) {
    const book = new Book(entries);
    unanswered += book.open.size;
    if (book.orphans > 0)
      problems.push(`connection ${number} has answers to requests that are not in the recording`);
    if (!entries.some((entry) => "closed" in entry)) {
      problems.push(`connection ${number} has no end: the recording was cut off, or is not finished`);
    }
    const expected = entries.filter((entry) => isMessage(entry) && entry.direction === "in").length;
    const outgoing = entries.filter((entry) => isMessage(entry) && entry.direction === "out") as Outgoing[];
    try {
      received += await converse(server, outgoing, expected - book.orphans);
      sent += outgoing.length;
    } catch (error) {
      problems.push((error as Error).message);
      break;
    }
  }
  await server.close().catch((error: Error) => {
    if (problems.length === 0) problems.push(error.message);
  });
  return { connections: connections.size, sent, received, unanswered, problems };
}

/** Plays one connection, and returns how many messages arrived. */
async function converse(
  server: ReturnType<typeof replay>,
  outgoing: readonly Outgoing[],
  expected: number,
): Promise<number> {
  const transport = await server(new AbortController().signal);
  let received = 0;
  const heard = new Promise<void>((resolve) => {
    transport.open({
      line: () => {
        received++;
        if (received === expected) resolve();
      },
      closed: () => resolve(),
    });
    if (expected === 0) resolve();
  });
  for (const entry of outgoing) {
    await transport.send("message" in entry ? JSON.stringify(entry.message) : entry.text).catch(() => {});
  }
  await Promise.race([heard, server.done.then(() => heard)]);
  await transport.close();
  return received;
}

/** Tracks which requests were answered. */
class Book {
  /** Requests without an answer, by sender and id. */
  readonly open = new Set<string>();
  /** Answers that match no client request. */
  orphans = 0;

  constructor(entries: readonly RecordedEntry[]) {
    for (const entry of entries) {
      if (!("message" in entry)) continue;
      const { id, method } = entry.message;
      if (id === undefined) continue;
      const { direction } = entry;
      const asker = method === undefined ? (direction === "in" ? "out" : "in") : direction;
      const key = `${asker} ${JSON.stringify(id)}`;
      if (method !== undefined) this.open.add(key);
      else if (!this.open.delete(key) && direction === "in") this.orphans++;
    }
  }
}

function isMessage(entry: RecordedEntry): entry is Outgoing {
  return "direction" in entry;
}

function byConnection(recording: Recording): Map<number, RecordedEntry[]> {
  const connections = new Map<number, RecordedEntry[]>();
  for (const line of recording) {
    if (!("connection" in line)) continue;
    const entries = connections.get(line.connection) ?? [];
    connections.set(line.connection, entries);
    entries.push(line);
  }
  return connections;
}
