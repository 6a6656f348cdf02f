import type { ServerEvent } from "../../protocol/index.ts";
import type { Confinement } from "./confinement.ts";
import {
  NoRolloutError,
  ThreadArchivedError,
  ThreadNotFoundError,
} from "../connection/server/server-errors.ts";
import type { RpcError } from "../../rpc/errors.ts";
import type { ToolBox } from "../../tools/tool-calls.ts";

/** Facts about a thread that later calls with its thread id need. */
export interface ThreadFacts {
  /**
   * The sandbox or permissions that this client requested. When a resume loads the thread, the server does not restore
   * them.
   */
  confinement: Confinement | undefined;
  /** Handles the model's calls to the tools that the caller passed for this thread. */
  tools: ToolBox | undefined;
  /** False if the thread was unsubscribed or unloaded: a turn would run without events, or not at all. */
  subscribed: boolean;
  /** How often the thread was reported as unloaded. Such a report can arrive while our own resume is in progress. */
  unloads: number;
  /** How many resumes were sent. */
  resumes: number;
  /** `lost`: the thread was not stored when its server was lost, so it cannot be resumed. */
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

/** Updates from an event whether the server has the thread loaded, and whether it can be loaded. */
export function followLife(facts: ThreadFacts, { method, params }: ServerEvent): void {
  switch (method) {
    case "thread/status/changed":
      // Older and third-party servers may omit the status.
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
 * Records that the server no longer sends the thread's events, or no longer has the thread loaded. Archiving and
 * deleting a thread unload it too. Called before the request that unloads the thread, and again after its answer,
 * because other calls and answers can come in between.
 */
export function unloaded(facts: ThreadFacts, fate: ThreadFacts["fate"] = facts.fate): void {
  facts.subscribed = false;
  facts.unloads++;
  // The answer to an archive request can arrive after the event of the deletion.
  if (facts.fate !== "deleted") facts.fate = fate;
}

/**
 * Records that the thread is not loaded, but can be loaded again. A thread that seemed lost may have been archived by
 * another client.
 */
export function unarchived(facts: ThreadFacts): void {
  if (facts.fate !== "deleted") facts.fate = "alive";
}

/** Throws if the thread can never be loaded again. */
export function refuseEnded(threadId: string, { fate }: ThreadFacts): void {
  if (fate === "deleted") throw new ThreadNotFoundError(`thread ${threadId} was deleted`);
  if (fate === "lost") {
    throw new NoRolloutError(`thread ${threadId} was lost with its server, because it was not stored`);
  }
}

/** The error of a failed resume. Servers before 0.145 report an archived thread as unknown. */
export function resumeRefusal(threadId: string, { fate }: ThreadFacts, error: unknown): unknown {
  if (!(error instanceof NoRolloutError)) return error;
  const cause = error.cause as RpcError;
  if (fate === "deleted") return new ThreadNotFoundError(`thread ${threadId} was deleted`, cause);
  return fate === "archived" ? new ThreadArchivedError(`thread ${threadId} is archived`, cause) : error;
}
