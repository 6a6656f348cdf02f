import { InvalidArgumentError } from "../../../rpc/errors.ts";

/** `/…`, `C:\…`, `C:/…` or `\\server\share`: the server may run on another operating system than the client. */
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\[^\\/])/;

/** Rejects paths that the server would reject, with an error that names the argument. */
export function checkAbsolute(name: string, path: string): void {
  if (typeof path === "string" && ABSOLUTE.test(path)) return;
  throw new InvalidArgumentError(`${name} must be an absolute path on the server's file system`);
}
