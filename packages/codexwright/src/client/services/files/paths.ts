import { InvalidArgumentError } from "../../../rpc/errors.ts";

/** `/…`, `C:\…`, `C:/…` or `\\server\share`: the server may run on another system than we do. */
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\[^\\/])/;

/** Refuses what the server would refuse, but by the name of the argument. */
export function checkAbsolute(name: string, path: string): void {
  if (typeof path === "string" && ABSOLUTE.test(path)) return;
  throw new InvalidArgumentError(`${name} must be an absolute path of the server's file system`);
}
