// #region code
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Gateway } from "@codexwright/gateway";
import { listen } from "codexwright/server";

/** Serves the page in `folder` on this machine, and the gateway to that page only. Port 0 chooses a free port. */
export async function servePage(gateway: Gateway, folder: string, port: number) {
  const files = new Map([
    ["/", { type: "text/html; charset=utf-8", body: readFileSync(`${folder}/index.html`) }],
    ["/page.js", { type: "text/javascript", body: readFileSync(`${folder}/dist/page.js`) }],
  ]);
  const http = createServer();
  await once(http.listen(port, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const token = randomBytes(32).toString("hex");
  const auth = { capabilityToken: { token } };
  const listener = await listen(gateway, "ws://127.0.0.1:0", { auth, allowedOrigins: [origin] });
  // The page may connect to the gateway and to nothing else. No other page may frame its buttons.
  const policy = `default-src 'none'; script-src 'self'; connect-src ${listener.url}; frame-ancestors 'none'`;
  http.on("request", ({ url = "" }, response) => {
    const { type = "text/plain", body } = files.get(url) ?? {};
    const headers = { "content-type": type, "content-security-policy": policy };
    response.writeHead(body ? 200 : 404, headers).end(body);
  });
  return {
    // Browsers do not send the part after "#", so the token is in no request and in no log.
    address: `${origin}/#${new URLSearchParams({ url: listener.url, token }).toString()}`,
    async [Symbol.asyncDispose](): Promise<void> {
      http.close();
      http.closeAllConnections();
      await listener.close();
    },
  };
}
// #endregion code
