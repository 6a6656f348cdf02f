import type { AbsentRow, Row } from "../lib/report.ts";
import { row } from "../lib/report.ts";
import type { Absent, Figures, Subject } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { installPeer } from "./install.ts";
import { PEERS, type PeerInfo, type Task } from "./list.ts";

/** A peer in a measure: the subject to run, or the reason why it cannot be run. */
export interface Entry {
  readonly peer: PeerInfo;
  readonly name: string;
  readonly subject: Subject | Absent;
}

/** The task of the peers. */
export interface Job {
  readonly task: Task;
  /** The server's arguments for a peer. The peer's program gets the same arguments. */
  readonly server: (peer: PeerInfo) => readonly (string | number)[];
  readonly args: (peer: PeerInfo) => readonly string[];
  /** The name of a peer's row; default: the peer's name. */
  readonly name?: (peer: PeerInfo) => string;
  readonly limitMs: number;
}

/** All peers for a job, installed on first use. */
export async function field(servers: ServerPrograms, job: Job): Promise<Entry[]> {
  const peers = PEERS.filter(({ only }) => !only || only.includes(job.task));
  return await Promise.all(
    peers.map(async (peer): Promise<Entry> => {
      const subject = await subjectOf(peer, servers, job);
      return { peer, name: job.name?.(peer) ?? peer.name, subject };
    }),
  );
}

async function subjectOf(peer: PeerInfo, servers: ServerPrograms, job: Job): Promise<Subject | Absent> {
  const { task, server, args, limitMs } = job;
  const lacks = peer.lacks[task];
  if (lacks !== undefined) return { absent: lacks };
  try {
    const folder = await installPeer(peer);
    const program = PROGRAM_TASKS[task];
    const words = [...server(peer), ...peer.server];
    // These peers start one process per turn. A hundred Node processes would take the whole machine.
    const made =
      peer.server.includes("--dialect=exec") && task === "threads"
        ? servers.record(...words)
        : servers.make(...words);
    return {
      name: peer.name,
      program: "peer",
      args: [peer.program, program, folder, made, ...args(peer)],
      nodeFlags: ["--expose-gc"],
      limitMs,
      optional: true,
      // If a peer needs many times as long, a second sample adds no information.
      times: peer.most === undefined ? 2 : 1,
    };
  } catch (error) {
    return { absent: `could not be installed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const PROGRAM_TASKS: Readonly<Record<Task, string>> = {
  batched: "stream",
  singly: "stream",
  threads: "stream",
  memory: "stream",
  long: "stream",
  requests: "requests",
  approval: "ask",
  tool: "ask",
};

/** The entries that can be run. */
export function subjectsOf(entries: readonly Entry[]): Subject[] {
  return entries.flatMap(({ subject }) => ("absent" in subject ? [] : [subject]));
}

/** The rows of a measure's peers; `outcomes` are the outcomes of {@link subjectsOf}, in the same order. */
export function rowsOf(
  entries: readonly Entry[],
  outcomes: readonly (readonly Figures[] | Absent)[],
  figure: string,
  { baseline, rivals, why }: { readonly baseline: Row; readonly rivals: Rivals; readonly why: string },
): (Row | AbsentRow)[] {
  const left = [...outcomes];
  return entries.map(({ peer, name, subject }) => {
    const outcome = "absent" in subject ? subject : (left.shift() ?? { absent: "was not run" });
    if ("absent" in outcome) return { name, of: "peer", absent: outcome.absent };
    const rival = rivals(peer);
    if (rival === undefined) return { ...row(name, outcome, figure), of: "peer" };
    return { ...row(name, outcome, figure, { baseline }), of: "peer", rival, why };
  });
}

/** The name of our row that a peer is compared with, if the figures are comparable. */
export type Rivals = (peer: PeerInfo) => string | undefined;
