import { applyPatch, gate, reasoning, reply } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, realWorld } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";

/** Matches a text after this colour code, which a terminal may combine with others. */
function behind(code: number, text: string): RegExp {
  return new RegExp(String.raw`\u001B\[(?:0;)?${code}m(?:\u001B\[[\d;]*m)*${text}`);
}

verifies(
  ["cli.run.terminal", "cli.run.text"],
  "a turn on a terminal: reasoning is dim, a diff green, markdown rendered, and the status line shows the cost",
  async () => {
    const held = gate();
    const usage = { inputTokens: 30_000, outputTokens: 1_234 };
    await using world = await realWorld([
      [reasoning("I think about it."), applyPatch("*** Add File: new.txt\n+hello", { usage })],
      [held, reply("# Done\n\n- one\n- **two**")],
    ]);
    const { folder: cwd, env } = world;
    const args = ["run", "--sandbox", "danger-full-access", "Make a file"];
    await using terminal = await Terminal.open(args, { cwd, env });
    await terminal.shows(/\d+s · 31,234 tokens · context [█░]{10} \d+% · type to steer/);
    const shown = await terminal.colouredText();
    expect(shown).toMatch(behind(2, "I think about it"));
    expect(shown).toMatch(behind(32, String.raw`\+hello`));
    held.open();
    expect(await terminal.exitCode()).toBe(0);
    const text = await terminal.text();
    expect(text).toMatch(/\nDone\n[^]*\* one\n[^]*\* two\n/);
    expect(text).toMatch(
      /changed {2}new\.txt \+1 -0\nused .*\nthread .*\nresume {3}codexwright run --resume /,
    );
  },
  PINNED,
);
