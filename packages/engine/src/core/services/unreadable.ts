import { ResponseError } from "codexwright/rpc";

/** Runs work on files of the configuration. The client receives their errors, whose messages have no values. */
export async function readingConfig<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "config_invalid") throw error;
    throw new ResponseError(-32603, `${what}: ${(error as Error).message}`);
  }
}
