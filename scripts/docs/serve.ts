import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves a folder on a free port of this machine only, and returns the address. */
export async function serve(folder: string): Promise<string> {
  const server = createServer(({ url = "/" }, response) => {
    const name = decodeURIComponent(new URL(url, "http://localhost").pathname);
    // `URL` removes `..` from a path, and `normalize` removes those that were percent-encoded. So the path
    // stays inside the folder.
    const wanted = path.join(folder, path.posix.normalize(name));
    const file = wanted.endsWith(path.sep) ? `${wanted}index.html` : wanted;
    const found = existsSync(file) && statSync(file).isFile();
    const served = found ? file : path.join(folder, "404.html");
    response.writeHead(found ? 200 : 404, {
      "content-type": TYPES[path.extname(served)] ?? "application/octet-stream",
    });
    createReadStream(served).pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
