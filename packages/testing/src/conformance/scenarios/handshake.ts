import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { scenario, send } from "../steps.ts";

const CLIENT = { name: "conformance", title: "Conformance", version: "1.0.0" };

export const HANDSHAKE: readonly Scenario[] = [
  scenario("handshake.result", "names client and version in the user agent of the answer to initialize", {
    model: [],
    run: async (world) => {
      const raw = await world.raw();
      const { result } = await raw.ask(0, "initialize", { clientInfo: CLIENT });
      const version = world.version.replaceAll(".", String.raw`\.`);
      const userAgent = new RegExp(String.raw`^conformance/${version} \(.+\) .*\(conformance; 1\.0\.0\)$`);
      expectMatch(result, { userAgent }, "the result");
    },
  }),
  scenario(
    "handshake.place",
    "reports the server's home and platform in the answer to initialize",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        expectMatch(
          codex.server,
          { codexHome: /^(\/|[A-Z]:)/, platformFamily: /^(unix|windows)$/, platformOs: /^[a-z]+$/ },
          "the server's description of itself",
        );
      },
    },
    { since: "0.117.0" },
  ),
  scenario(
    "handshake.first",
    "rejects a request before initialize as not initialized, and initialize still works",
    {
      model: [],
      run: async (world) => {
        const raw = await world.raw();
        for (const [id, method] of ["thread/list", "thread/start", "model/list"].entries()) {
          const { error } = await raw.ask(id, method, {});
          expectMatch(error, { code: -32600, message: "Not initialized" }, `the rejection of ${method}`);
        }
        const { result } = await raw.ask(9, "initialize", { clientInfo: CLIENT });
        expectMatch(result, { userAgent: /^conformance\// }, "the result");
      },
    },
  ),
  scenario("handshake.malformed-first", "rejects an unreadable request before initialize for that reason", {
    model: [],
    run: async (world) => {
      const raw = await world.raw();
      const unknown = await raw.ask(0, "no/such/method", {});
      expectMatch(
        unknown.error,
        { code: -32600, message: /^Invalid request: unknown variant/ },
        "the rejection",
      );
      const wrong = await raw.ask(1, "thread/read", { threadId: 5 });
      expectMatch(wrong.error, { code: -32600, message: /^Invalid request: invalid type/ }, "the rejection");
    },
  }),
  scenario(
    "handshake.twice",
    "rejects a second initialize as already initialized, and the connection stays open",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        await expectRejection(
          codex.request("initialize", { clientInfo: CLIENT }),
          { code: "rpc", rpcCode: -32600, message: "Already initialized" },
          "a second initialize",
        );
        await codex.request("thread/loaded/list", {});
      },
    },
  ),
  scenario(
    "handshake.bad-name",
    "rejects a client name that is not valid in an HTTP header, and accepts another one afterwards",
    {
      model: [],
      run: async (world) => {
        const raw = await world.raw();
        const bad = await raw.ask(0, "initialize", { clientInfo: { ...CLIENT, name: "two\nlines" } });
        expectMatch(bad.error, { code: -32600, message: /^Invalid clientInfo\.name/ }, "the rejection");
        const good = await raw.ask(1, "initialize", { clientInfo: CLIENT });
        expectMatch(good.result, { userAgent: /^conformance\// }, "the result");
      },
    },
  ),
  scenario("handshake.fields", "rejects initialize without its fields, and names the missing field", {
    model: [],
    run: async (world) => {
      const raw = await world.raw();
      const bare = await raw.ask(0, "initialize", {});
      const message = "Invalid request: missing field `clientInfo`";
      expectMatch(bare.error, { code: -32600, message }, "the rejection");
      const nameless = await raw.ask(1, "initialize", { clientInfo: { version: "1.0.0" } });
      expectMatch(nameless.error, { message: "Invalid request: missing field `name`" }, "the rejection");
    },
  }),
  scenario(
    "handshake.initialized",
    "serves requests after the answer to initialize, with or without the initialized notification",
    {
      model: [],
      run: async (world) => {
        const raw = await world.raw();
        await raw.initialize();
        expectMatch(
          await raw.ask(1, "thread/loaded/list", {}),
          { id: 1, result: { data: [] } },
          "the answer",
        );
        await raw.send({ method: "initialized" });
        expectMatch(
          await raw.ask(2, "thread/loaded/list", {}),
          { id: 2, result: { data: [] } },
          "the answer",
        );
      },
    },
  ),
  scenario("handshake.methods", "rejects an unknown method with a list of all methods that the server has", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      await expectRejection(
        send(codex, "no/such/method", {}),
        {
          rpcCode: -32600,
          message: /^Invalid request: unknown variant `no\/such\/method`, expected one of `/,
        },
        "an unknown method",
      );
      for (const method of ["initialize", "thread/start", "turn/start", "model/list", "config/read"]) {
        expectThat(codex.supports(method), `the list has ${method}`);
      }
      expectThat(!codex.supports("no/such/method"), "the list has no unknown method");
    },
  }),
];
