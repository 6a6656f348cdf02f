/** An HTTP server that does nothing but send a body that it was given. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { obey, say } from "./talk.ts";

const { body } = JSON.parse(process.argv[2] ?? "{}") as { readonly body: string };
const server = createServer((_, response) => {
  response.setHeader("content-type", "application/json");
  response.end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
say({ opened: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
await obey();
server.closeAllConnections();
server.close();
