import { mkdtempSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { watchWorkflow, type Workflow, type WorkflowError } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { KINDS, TRACKER } from "./reading.ts";

const textWith = (prompt: string): string => `---\n${TRACKER}\n---\n${prompt}`;

/** A watched file. Its time is ours: a sleep ends when a test wakes it. */
class Watched implements AsyncDisposable {
  readonly folder: string = mkdtempSync(path.join(tmpdir(), "codexwright-watch-"));
  readonly file: string = path.join(this.folder, "WORKFLOW.md");
  readonly changed: Workflow[] = [];
  readonly failed: WorkflowError[] = [];
  /** Runs while the watch waits for the file to settle. */
  settling: () => void = () => {};
  watch: Awaited<ReturnType<typeof watchWorkflow>> | undefined;

  async start(prompt: string, isOurTime: boolean): Promise<NonNullable<Watched["watch"]>> {
    writeFileSync(this.file, textWith(prompt));
    this.watch = await watchWorkflow(this.file, {
      env: {},
      kinds: KINDS,
      changed: ({ workflow }) => void this.changed.push(workflow),
      failed: (problem) => void this.failed.push(problem),
      ...(isOurTime ? { sleep: (ms, signal) => this.#sleep(ms, signal) } : {}),
    });
    return this.watch;
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms < 1000) {
      this.settling();
      return;
    }
    // The loop of each second sleeps until the end: tests look by `check`.
    const isClosed = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await isClosed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.watch?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits until the condition holds. The test's own limit ends it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("a change of the file", () => {
  verifies("fleet.workflow.reload", "is found by a look, even if size and time are the same", async () => {
    await using world = new Watched();
    const watch = await world.start("one", true);
    const { atime, mtime } = statSync(world.file);
    writeFileSync(world.file, textWith("two"));
    utimesSync(world.file, atime, mtime);
    await watch.check();
    expect(watch.workflow.promptTemplate).toBe("two");
    expect(watch.file.text).toBe(textWith("two"));
    await watch.check();
    expect(world.changed.map(({ promptTemplate }) => promptTemplate)).toEqual(["two"]);
  });

  verifies(
    ["fleet.workflow.reload", "symphony.17.1.reload"],
    "is applied without a look by the caller",
    async () => {
      await using world = new Watched();
      const watch = await world.start("one", false);
      writeFileSync(world.file, textWith("two"));
      await until(() => watch.workflow.promptTemplate === "two");
      // As most editors save.
      writeFileSync(`${world.file}.new`, textWith("three"));
      renameSync(`${world.file}.new`, world.file);
      await until(() => watch.workflow.promptTemplate === "three");
    },
  );

  verifies("fleet.workflow.reload", "that is half written is not applied", async () => {
    await using world = new Watched();
    const watch = await world.start("one", true);
    // Valid as it is, but not yet what the editor writes.
    writeFileSync(world.file, `---\n${TRACKER}\n`);
    let looks = 0;
    world.settling = () => {
      looks++;
      if (looks === 1) writeFileSync(world.file, textWith("tw"));
      if (looks === 2) writeFileSync(world.file, textWith("two"));
    };
    await watch.check();
    expect(world.changed.map(({ promptTemplate }) => promptTemplate)).toEqual(["two"]);
    expect(world.failed).toEqual([]);
  });
});

describe("a file that is not good", () => {
  verifies(
    ["fleet.workflow.last-good", "symphony.17.1.last-good"],
    "leaves the last good version, and is reported once",
    async () => {
      await using world = new Watched();
      const watch = await world.start("one", true);
      writeFileSync(world.file, "---\ntracker: [");
      await watch.check();
      await watch.check();
      expect(watch.workflow.promptTemplate).toBe("one");
      expect(watch.problem).toMatchObject({ code: "workflow_parse_error" });
      unlinkSync(world.file);
      await watch.check();
      expect(watch.problem).toMatchObject({ code: "missing_workflow_file" });
      writeFileSync(world.file, "x".repeat(10_000_000));
      await watch.check();
      rmSync(world.file);
      await watch.check();
      expect(world.failed.map(({ code }) => code)).toEqual([
        "workflow_parse_error",
        "missing_workflow_file",
        "workflow_parse_error",
        "missing_workflow_file",
      ]);
      writeFileSync(world.file, textWith("one"));
      await watch.check();
      expect(watch.problem).toBeUndefined();
      expect(world.changed).toHaveLength(1);
    },
  );

  verifies("fleet.workflow.last-good", "at the start is an error, and so is an absent one", async () => {
    await using world = new Watched();
    const options = { env: {}, kinds: KINDS };
    await expect(watchWorkflow(world.file, options)).rejects.toMatchObject({ code: "missing_workflow_file" });
    writeFileSync(world.file, "Work.");
    await expect(watchWorkflow(world.file, options)).rejects.toMatchObject({ code: "workflow_invalid" });
  });

  verifies("fleet.workflow.last-good", "is looked at again after a listener has thrown", async () => {
    await using world = new Watched();
    const watch = await world.start("one", true);
    world.failed.push = () => {
      throw new Error("the listener");
    };
    unlinkSync(world.file);
    await expect(watch.check()).rejects.toThrow("the listener");
    writeFileSync(world.file, textWith("two"));
    await watch.check();
    expect(watch.workflow.promptTemplate).toBe("two");
  });

  verifies("fleet.workflow.last-good", "the whole folder can go and return", async () => {
    await using world = new Watched();
    const watch = await world.start("one", true);
    renameSync(world.folder, `${world.folder}-away`);
    await watch.check();
    expect(watch.problem).toMatchObject({ code: "missing_workflow_file" });
    renameSync(`${world.folder}-away`, world.folder);
    await watch.check();
    expect(watch.problem).toBeUndefined();
  });
});

describe("a storm of changes", () => {
  verifies("fleet.workflow.storm", "ends with the last content, and no check hangs", async () => {
    await using world = new Watched();
    const watch = await world.start("one", true);
    let version = 0;
    world.settling = () => writeFileSync(world.file, textWith(`version ${version++}`));
    writeFileSync(world.file, textWith("first"));
    await Promise.all(Array.from({ length: 50 }, () => watch.check()));
    expect(watch.workflow.promptTemplate).toBe("one");
    expect(version).toBeLessThan(50);
    world.settling = () => {};
    await watch.check();
    expect(watch.workflow.promptTemplate).toBe(`version ${version - 1}`);
    expect(world.changed).toHaveLength(1);
  });

  verifies("fleet.workflow.storm", "of whole files applies only whole files", async () => {
    await using world = new Watched();
    const watch = await world.start("one", false);
    for (let count = 0; count < 300; count++) {
      const text = count % 3 === 0 ? "---\ntracker: [" : textWith(`version ${count}`);
      writeFileSync(`${world.file}.new`, text);
      renameSync(`${world.file}.new`, world.file);
      if (count % 50 === 0) await watch.check();
    }
    await until(() => watch.workflow.promptTemplate === "version 299");
    expect(watch.problem).toBeUndefined();
    expect(world.changed.every(({ promptTemplate }) => /^version \d+$/.test(promptTemplate))).toBe(true);
  });
});
