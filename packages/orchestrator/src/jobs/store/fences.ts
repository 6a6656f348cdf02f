import { InvalidArgumentError } from "codexwright/rpc";
import type { Taken } from "../boss/queues.ts";

/** A job that a process has, in its queue. */
export interface Held {
  readonly queue: string;
  readonly job: Taken;
}

/** Makes the opaque text that names a job, its retry count and its queue. */
export function fenceOf(queue: string, { id, retryCount }: Taken): string {
  return `${id}:${retryCount}:${queue}`;
}

export function held(fence: string): Held {
  const [id = "", retries = "", queue = ""] = fence.split(":");
  const retryCount = Number(retries);
  if (id.length !== 36 || !Number.isInteger(retryCount) || retryCount < 0 || queue === "")
    throw new InvalidArgumentError("This is not the name of a job that this job store has given.");
  return { queue, job: { id, retryCount } };
}
