// #region code
import { randomBytes } from "node:crypto";
import { Gateway } from "@codexwright/gateway";
import type { TransportFactory } from "codexwright";
import { listen } from "codexwright/server";
import { rolldown } from "rolldown";
import { serveWeb, type WebServer } from "../web-server.ts";

const HTML = `<!doctype html><title>Codex</title>
<pre></pre><form><input autofocus><button>Send</button></form><script type="module" src="/page.js"></script>`;
const POLICY = "default-src 'none'; script-src 'self'; connect-src ws://127.0.0.1:*";

/**
 * Serves a page that talks to Codex, on loopback.
 *
 * The token is only in the fragment of the URL. A browser does not send the fragment, so other users of the machine cannot get it.
 */
export async function servePage(transport: TransportFactory, script: string, port = 0): Promise<WebServer> {
  const code = await bundled(script);
  const gateway = await Gateway.open({ transport });
  const page = await serveWeb(async (request) => {
    const isScript = new URL(request.url).pathname === "/page.js";
    const type = isScript ? "text/javascript" : "text/html";
    const headers = { "content-type": type, "content-security-policy": POLICY };
    return new Response(isScript ? code : HTML, { headers });
  }, port);
  const token = randomBytes(32).toString("hex");
  const listener = await listen(gateway, "ws://127.0.0.1:0", {
    auth: { capabilityToken: { token } },
    allowedOrigins: [page.url], // Without it, every page is rejected with 403.
  });
  return {
    url: `${page.url}/#${new URLSearchParams({ url: listener.url, token }).toString()}`,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await listener.close();
      await gateway.close();
    },
  };
}

async function bundled(script: string): Promise<string> {
  const bundle = await rolldown({ input: script, platform: "browser" });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
// #endregion code
