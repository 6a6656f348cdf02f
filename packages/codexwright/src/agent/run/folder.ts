import type { CodexClient } from "../../client/index.ts";
import { RpcError } from "../../rpc/errors.ts";

/**
 * Returns a function that checks if a path exists on the server's machine. Relative paths are resolved from the
 * folder.
 */
export function folderIn(
  client: CodexClient,
  folder: string,
  signal: AbortSignal | undefined,
): (path: string) => Promise<boolean> {
  return async (path) => {
    const absolute = /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : `${folder.replace(/[\\/]+$/, "")}/${path}`;
    try {
      await client.fs.stat(absolute, signal ? { signal } : {});
      return true;
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
  };
}
