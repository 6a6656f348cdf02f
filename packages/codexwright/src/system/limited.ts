import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/**
 * Awaits `work`. If `work` fails because a system limit is reached, throws `resource_exhausted`. Rethrows all other
 * errors.
 */
export async function limited<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}

/** Like {@link limited}, for synchronous work. */
export function limitedSync<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw resourceExhausted(what, error) ?? error;
  }
}
