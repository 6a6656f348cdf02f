import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { applyPatch, exec, gate, hang, plan, reply } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, realWorld, verifiesHere } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";

/** The sandbox makes the real server ask before it runs a command. */
const RUN = ["run", "--sandbox", "read-only", "--approval", "on-request"];

verifies(
  ["cli.run.approvals", "cli.run.terminal"],
  "approvals on a terminal: shows a command, runs it after a key press, and continues the turn",
  async () => {
    const step = exec("touch made.txt", { justification: "A file is wanted." });
    await using world = await realWorld([step, reply("It is **there**.")]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Make a file"], { cwd, env });
    const asked = await terminal.shows("Run this command?");
    expect(asked).toContain("$ touch made.txt\n  A file is wanted.\n");
    expect(asked).toMatch(/y {2}yes, this time/);
    expect(existsSync(path.join(cwd, "made.txt"))).toBe(false);
    await terminal.type("y");
    expect(await terminal.exitCode()).toBe(0);
    const text = await terminal.text();
    expect(text).toContain("It is there.");
    expect(text).toContain("ran      1 command\n");
    expect(text).toContain("codexwright run --resume ");
    expect(existsSync(path.join(cwd, "made.txt"))).toBe(true);
  },
  PINNED,
);

verifiesHere(
  "cli.run.approvals",
  "approvals on a terminal: shows a change as a diff, and does not apply it if declined",
  async () => {
    const patch = "*** Add File: new.txt\n+hello";
    await using world = await realWorld([applyPatch(patch), reply("Then not.")]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Make a file"], { cwd, env });
    const asked = await terminal.shows("Apply this change?");
    expect(asked).toContain("new.txt (new) +1 -0\n  +hello\n");
    await terminal.type("n");
    expect(await terminal.exitCode()).toBe(0);
    expect(await terminal.text()).toContain("not applied");
    expect(existsSync(path.join(cwd, "new.txt"))).toBe(false);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.approvals", "cli.run.interrupt"],
  "Ctrl-C at an approval: declines it and stops the turn",
  async () => {
    const step = exec("touch made.txt", { justification: "A file is wanted." });
    await using world = await realWorld([step, hang()]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Make a file"], { cwd, env });
    await terminal.shows("Run this command?");
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
    expect(existsSync(path.join(cwd, "made.txt"))).toBe(false);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.steering", "cli.run.terminal"],
  "a turn on a terminal: shows typed text and steers the turn with it",
  async () => {
    const held = gate();
    await using world = await realWorld([[reply("Working on it."), held], reply("Both done.")]);
    const { folder: cwd, env, model } = world;
    await using terminal = await Terminal.open(["run", "First this"], { cwd, env });
    await terminal.shows("Working on it.");
    await terminal.type("Then thaz");
    await terminal.key("BSpace");
    await terminal.type("t");
    await terminal.shows("› Then that");
    await terminal.key("Enter");
    await terminal.shows("Sent to Codex: Then that");
    held.open();
    expect(await terminal.exitCode()).toBe(0);
    expect(model.requests.at(-1)?.lastUserText).toBe("Then that");
    expect(await terminal.text()).toMatch(/› Then that\n[^]*Both done\./);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.interrupt", "cli.exit-codes"],
  "a turn on a terminal: Ctrl-C interrupts it once, and the summary shows what it did",
  async () => {
    await using world = await realWorld([[reply("I begin."), exec("sleep 600")], hang()]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open(["run", "Wait"], { cwd, env });
    const running = await terminal.shows("$ sleep 600");
    expect(running).toMatch(/\d+s · .*type to steer, Ctrl-C interrupts/);
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
    const text = await terminal.text();
    expect(text).toContain("error interrupted:");
    expect(text).toContain("codexwright run --resume ");
    // The input line and the status line are gone.
    expect(text).not.toContain("type to steer");
  },
  PINNED,
);

verifiesHere(
  "cli.run.terminal",
  "a turn on a terminal: survives being made narrower and wider",
  async () => {
    await using world = await realWorld([[reply("I begin."), exec("sleep 600")], hang()]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open(["run", "Wait"], { cwd, env, columns: 120 });
    await terminal.shows("$ sleep 600");
    await terminal.resize(40, 20);
    await terminal.type("typed after");
    await terminal.shows("› typed after");
    await terminal.resize(120, 40);
    await terminal.type(" all");
    const text = await terminal.shows("› typed after all");
    expect(text.split("\n").filter((line) => line.includes("typed after"))).toHaveLength(1);
    expect(text.split("\n").filter((line) => line.includes("Ctrl-C interrupts"))).toHaveLength(1);
    expect(text.split("\n").filter((line) => line.includes("$ sleep 600"))).toHaveLength(1);
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.terminal", "cli.run.text"],
  "a turn on a terminal: shows the end of a running command's output",
  async () => {
    const waitFor = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;
    await using world = await realWorld([
      exec(`${waitFor("one")}; seq 30; ${waitFor("two")}`),
      reply("Counted."),
    ]);
    const { folder: cwd, env } = world;
    const args = ["run", "--sandbox", "danger-full-access", "Count"];
    await using terminal = await Terminal.open(args, { cwd, env });
    await terminal.shows("$ until");
    await writeFile(path.join(cwd, "one"), "");
    expect(await terminal.shows("… 25 more lines")).toContain("  26\n  27\n  28\n  29\n  30\n");
    await writeFile(path.join(cwd, "two"), "");
    expect(await terminal.exitCode()).toBe(0);
    const text = await terminal.text();
    expect(text).toContain("… 20 more lines\n  21\n");
    expect(text).not.toContain("… 25 more lines");
  },
  PINNED,
);

verifiesHere(
  ["cli.run.terminal", "cli.run.text"],
  "a plan on a terminal: is a checklist below the text; it is updated in place and stays at the end",
  async () => {
    const steps = (...statuses: readonly ("pending" | "in_progress" | "completed")[]) =>
      plan(statuses.map((status, index) => ({ step: `step ${index + 1}`, status })));
    const [first, second] = [gate(), gate()];
    await using world = await realWorld(
      [
        steps("in_progress", "pending"),
        [first, steps("completed", "in_progress")],
        [second, steps("completed", "completed")],
        reply("Both done."),
      ],
      "[tools]\nupdate_plan = { enabled = true }\n",
    );
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open(["run", "Plan it"], { cwd, env });
    const boxes = (text: string): string[] => text.match(/\[.\] step \d/g) ?? [];
    expect(boxes(await terminal.shows("[>] step 1"))).toEqual(["[>] step 1", "[ ] step 2"]);
    first.open();
    expect(boxes(await terminal.shows("[>] step 2"))).toEqual(["[x] step 1", "[>] step 2"]);
    second.open();
    expect(await terminal.exitCode()).toBe(0);
    const text = await terminal.text();
    expect(boxes(text)).toEqual(["[x] step 1", "[x] step 2"]);
    expect(text).toMatch(/Both done\.\n\n {2}\[x\] step 1\n/);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.approvals", "cli.run.interrupt"],
  "two approvals at the same time: are asked one after the other, and Ctrl-C skips the second",
  async () => {
    const ask = (name: string) => exec(`touch ${name}`, { justification: `${name} is wanted.` });
    await using world = await realWorld([[ask("one"), ask("two")], hang()]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Make files"], { cwd, env });
    const shown = await terminal.shows("Run this command?");
    expect(shown.match(/is wanted\./g)).toHaveLength(1);
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
    expect((await terminal.text()).match(/Run this command\?/g)).toHaveLength(1);
  },
  PINNED,
);
