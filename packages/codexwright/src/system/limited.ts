import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** Awaits `work`; a failure because a limit of the system is reached becomes `resource_exhausted`, others stay as they are. */
export async function limited<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}

/** The same for work that is done when it returns. */
export function limitedSync<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}
