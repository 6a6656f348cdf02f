import path from "node:path";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { Terminal } from "../../../../cli/test/support/terminal.ts";
import { anIssue, asking, retrying, running } from "../../support/fake-fleet.ts";
import { newFleetUser, type FleetUser } from "../../support/fleet-command.ts";

const OPTIONS = { skip: unlessLinux };

async function watchOn(
  user: FleetUser,
  size: { columns: number; rows: number },
  env = {},
): Promise<Terminal> {
  const home = path.dirname(user.folder);
  return await Terminal.open(["fleet", "status", "--watch", "--data", user.data], {
    cwd: user.folder,
    env: { HOME: home, ...env },
    ...size,
  });
}

verifies(
  "fleet.cli.status",
  "the screen is repainted in place, counts down, and Ctrl-C leaves the last one",
  async () => {
    await using user = await newFleetUser();
    const dueAt = new Date(Date.now() + 1_000_000).toISOString();
    user.fleet.claims = [running(anIssue("MT-1")), { ...retrying(anIssue("MT-2"), "x"), dueAt } as never];
    await using terminal = await watchOn(user, { columns: 100, rows: 30 });
    const first = /MT-2 +(\d+m \d+s)/.exec(await terminal.shows(/MT-2 +\d+m \d+s/))?.[1] ?? "";
    while ((await terminal.text()).includes(` ${first} `))
      await new Promise((resolve) => setTimeout(resolve, 50));
    user.fleet.claims = [asking(anIssue("MT-3"), "Which database?")];
    const after = await terminal.shows("Which database?");
    expect(after).not.toMatch(/MT-1|RUNNING/);
    expect(after.match(/blocked, polled/g)).toHaveLength(1);
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(0);
    expect((await terminal.text()).match(/Which database\?/g)).toHaveLength(1);
  },
  OPTIONS,
);

verifies(
  ["fleet.cli.status", "fleet.cli.narrow"],
  "the screen stays correct when the terminal becomes narrower, wider and lower",
  async () => {
    await using user = await newFleetUser();
    user.fleet.claims = Array.from({ length: 5 }, (_, at) => running(anIssue(`MT-${at}`)));
    await using terminal = await watchOn(user, { columns: 120, rows: 40 });
    await terminal.shows("MT-4");
    await terminal.resize(40, 40);
    // Narrow tables leave columns out. The terminal has moved rows of the old screen into its history.
    const narrow = await terminal.shows(/of 10 running(?:(?!of 10 running|HOST)[^])*MT-4/);
    const last = narrow.slice(narrow.lastIndexOf("of 10 running"));
    expect(last.match(/MT-4 /g)).toHaveLength(1);
    await terminal.resize(120, 8);
    await terminal.shows("…");
    await terminal.resize(120, 40);
    await terminal.shows(/of 10 running(?:(?!of 10 running)[^])*HOST(?:(?!of 10 running)[^])*MT-4/);
    await user.server.close();
    expect(await terminal.exitCode()).toBe(0);
  },
  OPTIONS,
);

verifies(
  "fleet.cli.status",
  "without colours, and on a terminal that cannot repaint, the same words are shown",
  async () => {
    await using user = await newFleetUser();
    user.fleet.claims = [running(anIssue("MT-1"))];
    await using plain = await watchOn(user, { columns: 100, rows: 30 }, { NO_COLOR: "1" });
    await plain.shows("MT-1");
    expect(await plain.colouredText()).not.toContain("\u001B[");
    await using dumb = await watchOn(user, { columns: 100, rows: 30 }, { TERM: "dumb" });
    await dumb.shows("MT-1");
    while (user.fleet.streams() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    user.fleet.emit({ event: "run.ended", message: "it has ended" });
    await dumb.shows("it has ended");
    await Promise.all([plain.key("C-c"), dumb.key("C-c")]);
    expect([await plain.exitCode(), await dumb.exitCode()]).toEqual([0, 0]);
  },
  OPTIONS,
);
