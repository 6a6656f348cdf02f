import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** Runs `work`; a failure because a limit of the system is reached becomes `resource_exhausted`, others stay as they are. */
export async function limited<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}
