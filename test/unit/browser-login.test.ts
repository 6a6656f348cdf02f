import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { soleBrowserLogin } from "@codexwright/test-support/browser-login";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("tests that log in by browser run one after the other", async () => {
  const port = await freePort();
  let inside = 0;
  let most = 0;
  const turn = async (): Promise<void> => {
    await using _alone = await soleBrowserLogin(port);
    most = Math.max(most, ++inside);
    // Meanwhile the others try to take the port. Each of them holds it only for a short time.
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, turn));
  expect(most).toBe(1);
});
