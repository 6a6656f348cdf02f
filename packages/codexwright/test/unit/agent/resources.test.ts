import {
  memoryFs,
  provide,
  resource,
  ResourceFailedError,
  Resources,
  tool,
  type AgentToolContext,
  type MemoryFs,
  type Resource,
} from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { world } from "./tool-runner-world.ts";
import { fakeClock } from "./plan.ts";

interface Thing extends AsyncDisposable {
  readonly name: string;
}

function things() {
  const events: string[] = [];
  const thing = (name: string): Thing => {
    events.push(`open ${name}`);
    return { name, [Symbol.asyncDispose]: async () => Promise.resolve(void events.push(`close ${name}`)) };
  };
  return { events, thing };
}

const A = resource<Thing>("a");
const B = resource<Thing>("b");
const C = resource<Thing>("c");

verifies(
  "agent.resources",
  "opens a resource once, on first use, and disposes resources in reverse order",
  async () => {
    const { events, thing } = things();
    const resources = new Resources([
      provide(A, () => thing("a")),
      provide(B, async (r) => thing(`b on ${(await r.get(A)).name}`)),
      provide(C, () => thing("c")),
    ]);
    const [b1, b2] = await Promise.all([resources.get(B), resources.get(B)]);
    expect(b1).toBe(b2);
    await resources[Symbol.asyncDispose]();
    expect(events).toEqual(["open a", "open b on a", "close b on a", "close a"]);
  },
);

verifies(
  "agent.resources",
  "a resource of scope `call` is created once for each call; a transient one is created at each request",
  async () => {
    const { events, thing } = things();
    let opened = 0;
    const resources = new Resources([
      provide(A, () => thing("run")),
      provide(B, async (r) => thing(`call ${++opened} on ${(await r.get(A)).name}`), { scope: "call" }),
      provide(C, () => thing(`transient ${++opened}`), { scope: "transient" }),
    ]);
    {
      await using call = resources.call();
      expect(await call.get(B)).toBe(await call.get(B));
      expect(await call.get(C)).not.toBe(await call.get(C));
    }
    expect(events.slice(-3)).toEqual(["close transient 3", "close transient 2", "close call 1 on run"]);
    {
      await using call = resources.call();
      expect((await call.get(B)).name).toBe("call 4 on run");
    }
    expect((await rejection(resources.get(B))) as Error).toMatchObject({ code: "invalid_argument" });
    await resources[Symbol.asyncDispose]();
    expect(events.at(-1)).toBe("close run");
  },
);

verifies(
  "agent.resources",
  "reports why a resource could not be opened, and tries again on the next request",
  async () => {
    let tries = 0;
    const resources = new Resources([
      provide(A, () => {
        if (++tries === 1) throw new Error("not yet");
        return things().thing("a");
      }),
      provide(B, async (r) => r.get(C)),
      provide(C, async (r) => r.get(B)),
    ]);
    const failed = await rejection(resources.get(A));
    expect(failed).toBeInstanceOf(ResourceFailedError);
    expect(failed).toMatchObject({ code: "resource_failed", resource: "a", cause: new Error("not yet") });
    expect((await resources.get(A)).name).toBe("a");
    expect(((await rejection(resources.get(B))) as Error).message).toContain("b → c → b");
    expect(((await rejection(resources.get(resource("other")))) as Error).message).toContain(
      '"other" has no provider',
    );
    expect(() => new Resources([provide(A, () => ({}) as never), provide(A, () => ({}) as never)])).toThrow(
      "must have one provider",
    );
  },
);

verifies(
  "agent.resources",
  "disposes a resource that opens after the end of its scope, and nothing fails",
  async () => {
    const { events, thing } = things();
    const opening = deferred();
    const resources = new Resources([
      provide(A, async () => {
        await opening.promise;
        return thing("late");
      }),
    ]);
    const call = resources.call();
    // The first result is never awaited.
    void call.get(A);
    const awaited = call.get(A);
    await call[Symbol.asyncDispose]();
    await resources[Symbol.asyncDispose]();
    opening.resolve();
    expect(await rejection(awaited)).toMatchObject({ code: "invalid_argument" });
    expect(events).toEqual(["open late", "close late"]);
  },
);

verifies("agent.resources", "reports a failed disposal and continues", async () => {
  const { events, thing } = things();
  const errors: string[] = [];
  const bad: Thing = { name: "bad", [Symbol.asyncDispose]: async () => Promise.reject(new Error("stuck")) };
  const resources = new Resources([provide(A, () => thing("a")), provide(B, () => bad)], {
    onError: (message) => errors.push(message),
  });
  await resources.get(A);
  await resources.get(B);
  await resources[Symbol.asyncDispose]();
  expect(events.at(-1)).toBe("close a");
  expect(errors).toEqual(['the resource "b" could not be disposed']);
  expect((await rejection(resources.get(A))) as Error).toMatchObject({ code: "invalid_argument" });
});

/** A failing call that changes files of two resources, one of which it opens first. */
async function failingCall(resources: Resources, Old: Resource<MemoryFs>, New: Resource<MemoryFs>) {
  const change = tool({
    name: "change",
    description: "d",
    input: z.object({}),
    async run(_, { resources: own, fail }: AgentToolContext) {
      for (const key of [Old, New]) {
        const files = await own.get(key);
        await files.write("f", "2");
        await files.write("g", "2");
      }
      fail("no");
    },
  });
  const { call } = world([change], { resources });
  return await call("change");
}

verifies(
  "agent.resources.rollback",
  "a rollback restores resources that were open before or opened during the call, in every scope",
  async () => {
    const [Old, New] = [resource<MemoryFs>("old"), resource<MemoryFs>("new")];
    for (const scope of ["run", "call", "transient"] as const) {
      const fresh = memoryFs({ f: "1" });
      const resources = new Resources([
        provide(Old, () => memoryFs({ f: "1" })),
        provide(New, () => fresh, { scope }),
      ]);
      const old = await resources.get(Old);
      expect((await failingCall(resources, Old, New)).reply.success).toBe(false);
      for (const files of [old, fresh]) {
        expect([await files.readText("f"), await files.list()]).toEqual(["1", ["f"]]);
      }
    }
  },
);

verifies("agent.resources.rollback", "rolls back the last opened resource first", async () => {
  const [Old, New] = [resource<MemoryFs>("old"), resource<MemoryFs>("new")];
  const restored: string[] = [];
  const told = (name: string): MemoryFs => ({ ...memoryFs(), restore: () => void restored.push(name) });
  const resources = new Resources([provide(Old, () => told("old")), provide(New, () => told("new"))]);
  await failingCall(resources, Old, New);
  expect(restored).toEqual(["new", "old"]);
});

verifies(
  ["agent.resources.rollback", "agent.tools.abort"],
  "a call whose resource never finishes its snapshot ends when it is aborted",
  async () => {
    const clock = fakeClock();
    const [Old, asked] = [resource<object>("old"), deferred()];
    const stuck = {
      restore: () => {},
      snapshot: async () => {
        asked.resolve();
        await new Promise(() => {});
      },
    };
    const resources = new Resources([provide(Old, () => stuck)]);
    await resources.get(Old);
    const idle = tool({ name: "idle", description: "d", input: z.object({}), run: () => "done" });
    const { call, runner } = world([idle], { resources, clock, graceMs: 10 });
    const stop = new AbortController();
    const outcome = call("idle", {}, stop.signal);
    await asked.promise;
    stop.abort(new Error("enough"));
    expect((await outcome).event.error).toEqual({ kind: "aborted", message: "enough" });
    const settled = runner.settled();
    clock.advance(10);
    await settled;
  },
);

verifies(
  "agent.resources.rollback",
  "also rolls back the resources from which another resource was created",
  async () => {
    const [Old, New] = [resource<MemoryFs>("old"), resource<MemoryFs>("new")];
    const inner = memoryFs({ f: "1" });
    const resources = new Resources([
      provide(Old, () => inner),
      // It does not support snapshots itself, because it has no `restore`.
      provide(New, async (r) => ({ ...(await r.get(Old)), restore: undefined }) as unknown as MemoryFs),
    ]);
    await failingCall(resources, New, New);
    expect([await inner.readText("f"), await inner.list()]).toEqual(["1", ["f"]]);
  },
);

verifies(
  "agent.resources.memory-fs",
  "files in memory can be written, listed, read and removed",
  async () => {
    const files = memoryFs({ "src/a.ts": "a" });
    await files.write("src/deep/b.ts", new Uint8Array([0xff, 0]));
    expect(await files.list()).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await files.list("src/deep")).toEqual(["src/deep/b.ts"]);
    expect(await files.read("./src//deep/b.ts")).toEqual(new Uint8Array([0xff, 0]));
    expect([await files.exists("src"), await files.exists("src/deep/c.ts")]).toEqual([true, false]);
    await files.remove("src/deep");
    await files.remove("not/there");
    expect(await files.list()).toEqual(["src/a.ts"]);
    expect(await rejection(files.read("src/deep/b.ts"))).toMatchObject({
      code: "file_not_found",
      path: "src/deep/b.ts",
    });
  },
);

verifies(
  "agent.resources.memory-fs",
  "rejects paths that lead outside, and a file used as a folder",
  async () => {
    const files = memoryFs({ file: "x", "folder/file": "x" });
    for (const path of ["../x", "/etc/passwd", "a/../../x", "C:\\x", "a\\b", "", "file/x", "folder"]) {
      expect(await rejection(files.write(path, "x"))).toMatchObject({ code: "invalid_argument" });
    }
  },
);

verifies(
  "agent.resources.memory-fs",
  "a snapshot is not changed by later writes or by the reader",
  async () => {
    const files = memoryFs({ "a/x": "1", "b/y": "1" });
    const snapshot = files.snapshot();
    (await files.read("a/x"))[0] = 0;
    await files.write("a/x", "2");
    await files.remove("b/y");
    const later = files.snapshot();
    files.restore(snapshot);
    expect([await files.readText("a/x"), await files.list()]).toEqual(["1", ["a/x", "b/y"]]);
    files.restore(later);
    expect([await files.readText("a/x"), await files.list()]).toEqual(["2", ["a/x"]]);
    expect(files.snapshot().root).toBe(later.root);
  },
);
