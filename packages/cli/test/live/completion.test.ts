import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { makeProgram } from "../../src/program.ts";
import { command } from "../support/command.ts";
import { verifiesHere } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";

/** A folder with the completion script of a shell. */
async function scripted(shell: string): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "codexwright-shell-"));
  const { stdout } = await command(["completion", shell]);
  await writeFile(path.join(folder, "script"), stdout);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Every command with the words that lead to it. */
function everyCommand(parent: Command, before: string): { words: string; command: Command }[] {
  return parent.commands.flatMap((each) => {
    const words = `${before} ${each.name()}`;
    return [{ words, command: each }, ...everyCommand(each, words)];
  });
}

verifies(
  "cli.completion",
  "fish completes every command and option, and the values of options with a fixed set",
  async () => {
    await using shell = await scripted("fish");
    const lines = everyCommand(makeProgram("1.0.0"), "codexwright");
    const asked = [
      ...lines.map(({ words }) => words),
      ...lines.map(({ words }) => `${words} --`),
      "codexwright run --sandbox ",
      "codexwright inspect x --kind qu",
      "codexwright completion z",
    ];
    // One shell for all lines, because starting a shell is slow.
    const ask = asked.map((line) => `echo '= ${line}'; complete -C '${line}'`).join("\n");
    const out = execFileSync("fish", ["--no-config", "-c", `source ${shell.folder}/script\n${ask}`], {
      encoding: "utf8",
      env: { ...process.env, HOME: shell.folder, XDG_DATA_HOME: shell.folder },
    });
    const answers = new Map(
      out
        .split(/^= /m)
        .slice(1)
        .map((part) => {
          const [line = "", ...found] = part.trimEnd().split("\n");
          return [line, found.map((each) => each.split("\t")[0])];
        }),
    );
    for (const { words, command: each } of lines) {
      expect(answers.get(words)).toContain(each.name());
      const options = each.options.map(({ long }) => long);
      expect(answers.get(`${words} --`)).toEqual(expect.arrayContaining([...options, "--help"]));
    }
    expect(answers.get("codexwright run --sandbox ")?.toSorted()).toEqual([
      "danger-full-access",
      "read-only",
      "workspace-write",
    ]);
    expect(answers.get("codexwright inspect x --kind qu")).toEqual(["question"]);
    expect(answers.get("codexwright completion z")).toEqual(["zsh"]);
  },
);

verifiesHere("cli.completion", "zsh completes in a terminal, after compinit, as the help says", async () => {
  await using shell = await scripted("zsh");
  const { folder } = shell;
  await writeFile(path.join(folder, "a-task.md"), "");
  const settings = ["PS1='ready> '", "autoload -Uz compinit", "compinit -u -D", `source ${folder}/script`];
  await writeFile(path.join(folder, ".zshrc"), settings.join("\n"));
  await using terminal = await Terminal.run(["zsh", "-d", "-i"], { cwd: folder, env: { ZDOTDIR: folder } });
  await terminal.shows("ready>");
  const completes = async (typed: string, line: string): Promise<void> => {
    await terminal.type(typed);
    await terminal.key("Tab");
    await terminal.shows(`ready> ${line}`);
    await terminal.key("C-u");
  };
  await completes("codexwright thr", "codexwright threads");
  await completes("codexwright threads arch", "codexwright threads archive");
  await completes("codexwright run x --outp", "codexwright run x --output-schema");
  await completes("codexwright run --sandbox read", "codexwright run --sandbox read-only");
  await completes("codexwright completion z", "codexwright completion zsh");
  await completes("codexwright run --file a-t", "codexwright run --file a-task.md");
  await terminal.type("codexwright threads ");
  await terminal.key("Tab");
  expect(await terminal.shows("unarchive")).toMatch(/archive[^]*delete[^]*fork[^]*list[^]*name[^]*resume/);
});
