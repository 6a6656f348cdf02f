import { writeFile } from "node:fs/promises";
import path from "node:path";
import { exec, hang, reply } from "@codexwright/testing";
import { expect } from "vitest";
import { PINNED, realWorld, verifiesHere } from "../support/real-world.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { Terminal } from "../support/terminal.ts";

const FREELY = ["run", "--sandbox", "danger-full-access"];
const waitFor = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;

verifies(
  "cli.run.terminal",
  "the input line stays when the text above it grows, and no old lines remain",
  async () => {
    await using world = await realWorld([
      exec(`${waitFor("one")}; seq 9; ${waitFor("two")}`),
      reply("Counted."),
    ]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...FREELY, "Count"], { cwd, env });
    const before = await terminal.shows(/\$ until [^]*Ctrl-C interrupts\n› /);
    expect(before.match(/Ctrl-C interrupts/g)).toHaveLength(1);
    await writeFile(path.join(cwd, "one"), "");
    const after = await terminal.shows(/ {2}9\n\n.*Ctrl-C interrupts\n› /);
    expect(after.match(/Ctrl-C interrupts/g)).toHaveLength(1);
    await writeFile(path.join(cwd, "two"), "");
    expect(await terminal.exitCode()).toBe(0);
    expect(await terminal.text()).not.toContain("Ctrl-C interrupts");
  },
  PINNED,
);

verifiesHere(
  "cli.run.terminal",
  "tabs in a command's output do not break the lines above it",
  async () => {
    const row = String.raw`printf 'a\tb\tc\td\te\tf\tg\th\n'`;
    await using world = await realWorld([
      exec(`${row}; ${waitFor("one")}; ${row}; ${row}; ${waitFor("two")}`),
      reply("Done."),
    ]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...FREELY, "Tabulate"], { cwd, env, columns: 50 });
    await terminal.shows("$ printf");
    await writeFile(path.join(cwd, "one"), "");
    await terminal.shows(/(a {5}b[^]*){2}› /);
    await writeFile(path.join(cwd, "two"), "");
    expect(await terminal.exitCode()).toBe(0);
    const text = await terminal.text();
    expect(text.trimStart().startsWith("› Tabulate\n\n$ printf")).toBe(true);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.terminal", "cli.run.steering"],
  "Ctrl-Z gives the terminal to the shell, and typing works again afterwards",
  async () => {
    await using world = await realWorld([[reply("I begin."), exec("sleep 600")], hang()]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...FREELY, "Wait"], { cwd, env, sleeps: true });
    await terminal.shows(/\$ sleep 600\n\n.*interrupts/);
    await terminal.key("C-z");
    const asleep = await terminal.shows("[asleep]");
    expect(asleep).not.toContain("Ctrl-C interrupts");
    await terminal.key("Enter");
    await terminal.shows(/\[asleep\][^]*Ctrl-C interrupts/);
    await terminal.type("still here");
    const text = await terminal.shows("› still here");
    // Typed into our input line once, and not echoed by the terminal as well.
    expect(text.match(/still here/g)).toHaveLength(1);
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
  },
  PINNED,
);

verifiesHere(
  "cli.run.terminal",
  "Ctrl-Z does nothing if no shell could resume the command; a dumb terminal gets plain text",
  async () => {
    await using world = await realWorld([[reply("I begin."), exec("sleep 600")], reply("Plain.")]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...FREELY, "Wait"], { cwd, env });
    await terminal.shows(/\$ sleep 600\n\n.*interrupts/);
    await terminal.key("C-z");
    await terminal.type("awake");
    await terminal.shows("› awake");
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
    await using dumb = await Terminal.open([...FREELY, "Speak"], { cwd, env: { ...env, TERM: "dumb" } });
    await dumb.exitCode();
    expect(await dumb.colouredText()).not.toContain("\u001B[");
  },
  PINNED,
);
