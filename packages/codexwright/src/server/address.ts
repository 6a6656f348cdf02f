import path from "node:path";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { checkArgument, text } from "../rpc/options/check.ts";

/** The address of a listener. */
export type Address =
  | { readonly kind: "stdio" }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "ws"; readonly hostname: string; readonly port: number };

/** Parses `stdio://`, `ws://HOST:PORT` or `unix://PATH`. */
export function parseAddress(url: string): Address {
  checkArgument("listen()", "url", url, text);
  if (url === "stdio://") return { kind: "stdio" };
  if (url.startsWith("unix://") && url.length > "unix://".length) {
    return { kind: "unix", path: path.resolve(url.slice("unix://".length)) };
  }
  const web = /^ws:\/\/(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(url);
  const port = Number(web?.[2]);
  if (!web?.[1] || port > 65_535) {
    throw new InvalidArgumentError("url must be stdio://, ws://HOST:PORT or unix://PATH");
  }
  return { kind: "ws", hostname: web[1].replace(/^\[(.*)\]$/, "$1"), port };
}
