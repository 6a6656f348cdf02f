import { stdio } from "codexwright/stdio";
import { realAppServer } from "@codexwright/testing";
import { LineClient } from "@codexwright/test-support/line-client";

/** Lines to and from the pinned Codex, in a world of its own; no model answers there. */
export async function realWire(): Promise<{ readonly client: LineClient } & AsyncDisposable> {
  const server = await realAppServer({ model: { baseUrl: "http://127.0.0.1:9/v1" } });
  const { codexHome, cwd, env } = server.clientOptions;
  const transport = await stdio({ codexHome, cwd, env })(new AbortController().signal);
  const client = new LineClient(transport);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.hangUp();
      await server[Symbol.asyncDispose]();
    },
  };
}
