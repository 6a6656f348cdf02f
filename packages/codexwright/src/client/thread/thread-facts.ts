import type { ServerEvent } from "../../protocol/index.ts";
import type { Confinement } from "./confinement.ts";
import {
  NoRolloutError,
  ThreadArchivedError,
  ThreadNotFoundError,
} from "../connection/server/server-errors.ts";
import type { RpcError } from "../../rpc/errors.ts";
import type { ToolBox } from "../../tools/tool-calls.ts";

/** What must be known of a thread whenever it is named. */
export interface ThreadFacts {
  /** The sandbox or the permissions that this client asked for, which a cold resume does not bring back. */
  confinement: Confinement | undefined;
  /** What answers the model's calls of our tools. */
  tools: ToolBox | undefined;
  /** False if the thread was unsubscribed from or unloaded: a turn would run unseen, or not at all. */
  subscribed: boolean;
  /** How often the thread was reported as unloaded: an event can overtake the end of our own resume. */
  unloads: number;
  /** How often a resume was sent. */
  resumes: number;
  /** `lost`: nothing of the thread was stored when its server was lost, so it cannot come back. */
  fate: "alive" | "archived" | "deleted" | "lost";
}

export function newFacts(): ThreadFacts {
  return {
    confinement: undefined,
    tools: undefined,
    subscribed: true,
    unloads: 0,
    resumes: 0,
    fate: "alive",
  };
}

/** Takes from an event whether the server still has the thread loaded, and whether it can be loaded. */
export function followLife(facts: ThreadFacts, { method, params }: ServerEvent): void {
  switch (method) {
    case "thread/status/changed":
      // Older and other servers may leave the status out.
      if ((params.status as { type?: string } | undefined)?.type !== "notLoaded") return;
      return unloaded(facts);
    case "thread/closed":
      return unloaded(facts);
    case "thread/archived":
      return unloaded(facts, "archived");
    case "thread/deleted":
      return unloaded(facts, "deleted");
    case "thread/unarchived":
      return unarchived(facts);
    default:
      return;
  }
}

/**
 * The server no longer sends the thread's events, or no longer has it loaded; archiving and deleting unload it too.
 * Called when that is asked for and when it has happened: calls can be made and answers can come in between.
 */
export function unloaded(facts: ThreadFacts, fate: ThreadFacts["fate"] = facts.fate): void {
  facts.subscribed = false;
  facts.unloads++;
  // An answer about an archived thread can be read after the event of its deletion.
  if (facts.fate !== "deleted") facts.fate = fate;
}

/** The thread can be loaded again, but is not. A thread that seemed lost may have been archived by another client. */
export function unarchived(facts: ThreadFacts): void {
  if (facts.fate !== "deleted") facts.fate = "alive";
}

/** Throws if the thread can never be loaded again. */
export function refuseEnded(threadId: string, { fate }: ThreadFacts): void {
  if (fate === "deleted") throw new ThreadNotFoundError(`thread ${threadId} was deleted`);
  if (fate === "lost") {
    throw new NoRolloutError(`thread ${threadId} was lost with its server: nothing of it was stored`);
  }
}

/** The error of a failed resume. Servers before 0.145 call an archived thread unknown. */
export function resumeRefusal(threadId: string, { fate }: ThreadFacts, error: unknown): unknown {
  if (!(error instanceof NoRolloutError)) return error;
  const cause = error.cause as RpcError;
  if (fate === "deleted") return new ThreadNotFoundError(`thread ${threadId} was deleted`, cause);
  return fate === "archived" ? new ThreadArchivedError(`thread ${threadId} is archived`, cause) : error;
}
