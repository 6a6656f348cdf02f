import { CodexClient } from "codexwright";
import { fail, fakeAppServer, reply } from "@codexwright/testing";
import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { explain } from "../../src/shared/explain.ts";
import { findThread, lastThread } from "../../src/threads/find.ts";
import { newUser } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

verifies(
  "cli.threads.find",
  "finds a thread by its id, the first characters of its id, or its name, archived or not",
  async () => {
    await using fake = fakeAppServer({ model: () => reply("Yes.") });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const ids: string[] = [];
    for (const task of ["one", "two", "three"]) {
      const thread = await codex.startThread();
      await thread.run(task);
      ids.push(thread.id);
    }
    const [one = "", two = "", three = ""] = ids;
    await codex.thread(one).setName("Parser work");
    await codex.thread(three).archive();
    const shared = one.slice(
      0,
      Array.from(one).findIndex((char, at) => char !== two[at] || char !== three[at]),
    );
    for (const [reference, id] of [
      [one, one],
      [one.toUpperCase(), one],
      [two.slice(0, -1), two],
      [two.slice(0, -1).toUpperCase(), two],
      ["Parser work", one],
      [three.slice(0, -1), three],
      // A complete id is not searched for, because the server knows whether it exists.
      ["01a1e034-e7c3-7ee0-b756-4cba61507aec", "01a1e034-e7c3-7ee0-b756-4cba61507aec"],
    ] as const) {
      expect(await findThread(codex, reference)).toBe(id);
    }
    for (const reference of [
      "nonsense",
      "Parser",
      "parser work",
      "ffffffff",
      `${one}0`,
      "x".repeat(10_000),
    ]) {
      const { code, message } = explain(await rejection(findThread(codex, reference)));
      expect(code).toBe("thread_not_found");
      expect(message).toMatch(/^no thread has the name ".*" or an id that starts with it$/);
    }
    expect(await rejection(findThread(codex, " "))).toMatchObject({ code: "usage" });
    const { code, advice } = explain(await rejection(findThread(codex, shared)));
    expect(code).toBe("ambiguous_thread");
    expect(advice.toSorted()).toEqual([`${one}  Parser work`, `${three}  three`, `${two}  two`].toSorted());
    const { cwd } = await codex.readThread(two, false);
    await codex.thread(two).run("Again");
    expect(await lastThread(codex, cwd)).toBe(two);
    expect(await rejection(lastThread(codex, "/nowhere"))).toMatchObject({ code: "thread_not_found" });
  },
  FAKE,
);

verifies(
  ["cli.threads.find", "cli.run.resumable"],
  "resumes by the first characters of an id or by --last, and offers only threads that can be resumed",
  async () => {
    await using user = await newUser({ model: ({ lastUserText }) => reply(`To ${lastUserText}.`) });
    const first = await user.run(["run", "one"]);
    const [, id = ""] = /--resume (\S+)/.exec(first.stderr) ?? [];
    for (const args of [
      ["run", "-q", "--resume", id.slice(0, 30), "two"],
      ["run", "-q", "--last", "two"],
      ["threads", "resume", "-q", "--last", "two"],
    ]) {
      expect(await user.run(args)).toMatchObject({ exitCode: 0, stdout: "To two.\n" });
    }
    expect((await user.run(["threads", "show", id])).stdout.match(/To two/g)).toHaveLength(3);
    const ephemeral = await user.run(["run", "--ephemeral", "three"]);
    expect(ephemeral).toMatchObject({ exitCode: 0 });
    expect(ephemeral.stderr).not.toContain("--resume");
  },
  FAKE,
);

verifies(
  "cli.run.resumable",
  "offers no thread to resume if the turn never started, but does if it failed",
  async () => {
    await using refusing = await newUser({
      model: [],
      faults: [{ on: "turn/start", fault: "crash" }],
    });
    const refused = await refusing.run(["run", "one"]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).not.toContain("--resume");
    await using failing = await newUser({ model: [fail(400), reply("Yes.")] });
    const failed = await failing.run(["run", "one"]);
    expect(failed.exitCode).toBe(1);
    const [, id = ""] = /--resume (\S+)/.exec(failed.stderr) ?? [];
    expect(await failing.run(["run", "-q", "--resume", id, "two"])).toMatchObject({ exitCode: 0 });
  },
  FAKE,
);
