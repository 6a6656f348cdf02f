import { expect, test } from "vitest";
import { CodexClient as NodeClient } from "codexwright";
import { CodexClient, type ClientEvents, type Thread } from "codexwright/client";
import { wireScript } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";

/** Every public name of a client. */
const FACE = [
  // Connection
  "request",
  "server",
  "stderrTail",
  "serverPid",
  "connect",
  "disconnect",
  "close",
  "supports",
  "onNotification",
  "onServerRequest",
  "acceptsUnasked",
  // Threads, models and services
  "startThread",
  "resumeThread",
  "forkThread",
  "thread",
  "threads",
  "models",
  "exec",
  "watch",
  "account",
  "logout",
  "skills",
  "search",
  "searchSession",
  "login",
  "rateLimits",
  "mcp",
  "config",
  "fs",
  // The flat methods of specification 002
  "readThread",
  "listThreads",
  "archiveThread",
  "compactThread",
  "startTurn",
  "runTurn",
  "steerTurn",
  "interruptTurn",
  "startReview",
  "runReview",
  "listModels",
  "execCommand",
  // The emitter
  "on",
  "once",
  "off",
  "addListener",
  "removeListener",
  "prependListener",
  "prependOnceListener",
  "removeAllListeners",
  "listenerCount",
  "listeners",
  "rawListeners",
  "setMaxListeners",
  "getMaxListeners",
  "eventNames",
  "emit",
] as const;

/** Names that the parts of the class share. The compiler hides them from users. */
const PROTECTED = ["listenerThrew", "listened", "unlistened"];

type Named = (typeof FACE)[number] | typeof Symbol.asyncDispose;
/** True if the compiler knows exactly these names of a client. */
type Exact = [Exclude<keyof CodexClient, Named>, Exclude<Named, keyof CodexClient>] extends [never, never]
  ? true
  : never;
const exact: Exact = true;

/** Returns the property names of an object and of its prototypes. */
function namesOf(value: object): Set<string | symbol> {
  const names = new Set<string | symbol>();
  for (let each = value; each !== Object.prototype; each = Object.getPrototypeOf(each) as object) {
    for (const name of Reflect.ownKeys(each)) names.add(name);
  }
  names.delete("constructor");
  return names;
}

verifies("spec-002.surface", "a client has exactly these public names", () => {
  const { transport } = wireScript({ script: [] });
  const expected = new Set<string | symbol>([...FACE, ...PROTECTED, Symbol.asyncDispose]);
  expect(namesOf(new CodexClient({ transport }))).toEqual(expected);
  expect(namesOf(new NodeClient({ transport }))).toEqual(expected);
  expect(exact).toBe(true);
});

test("a subclass can use the names of a client's internal parts, and override its methods", async () => {
  class Extended extends CodexClient {
    readonly options = "mine";
    readonly core = "mine";
    readonly seen: string[] = [];

    warn(): string {
      return "mine";
    }

    override thread(id: string): Thread {
      this.seen.push(`thread ${id}`);
      return super.thread(id);
    }

    override async disconnect(): Promise<void> {
      this.seen.push("disconnect");
      await super.disconnect();
    }

    override emit<K extends keyof ClientEvents>(event: K, ...args: ClientEvents[K]): boolean {
      this.seen.push(event);
      return super.emit(event, ...args);
    }
  }
  const thread = { id: "t1", turns: [] };
  const fake = wireScript({ script: [{ on: "thread/read", result: { thread } }] });
  const client = new Extended({ transport: fake.transport });
  await client.connect();
  // The flat methods call the methods of the subclass.
  expect(await client.readThread("t1")).toEqual(thread);
  client.emit("stderr", "words");
  expect(client.stderrTail).toBe("words");
  await client.close();
  expect([client.options, client.core, client.warn()]).toEqual(["mine", "mine", "mine"]);
  expect(client.seen).toEqual(["thread t1", "stderr", "disconnect", "exit"]);
});
