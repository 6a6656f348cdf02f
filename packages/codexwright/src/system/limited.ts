import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** Awaits `work`. If it fails because a limit of the system is reached, throws `resource_exhausted`; rethrows other errors. */
export async function limited<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}

/** The same for synchronous work. */
export function limitedSync<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}
