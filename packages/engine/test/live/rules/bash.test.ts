import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { expect } from "vitest";
import { ruleFiles } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";

const run = promisify(execFile);

const STUBS = ["ok", "good", "bad", "git"];
const RULES = `
prefix_rule(pattern=["ok"])
prefix_rule(pattern=["good", ["a", "b c", "$(bad)"]])
prefix_rule(pattern=["git", "status"])
`;

/** Pieces of scripts: words that rules allow, and everything with a meaning in a shell. */
const PIECE = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom("ok", "good a", "good 'b c'", "git status", "bad", "git", "-x", "a", "/b"),
  },
  { weight: 4, arbitrary: fc.constantFrom(" ", " ", " && ", " || ", "; ", " | ", ";", "|", "\n") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ..."'\"\\$`(){}[]<>&#!*?~=%^@+,:\t\r\u00A0\u2028é\0".split(""),
      "$(bad)",
      "`bad`",
      "$'\\n'",
      "${X:-bad}",
      "<(bad)",
      " > out",
      " <<< x",
      " <<E\nbad\nE\n",
      "<<'E' bad\nE\n",
      "\\\n",
      "' '",
      '"$(bad)"',
      '"a b"',
      "X=1 ",
      "PATH=. ",
      "if ok; then ",
      "fi",
      "ok() { bad; }; ",
      "alias ok=bad\n",
      "eval bad",
      "bash -c bad",
      "exec bad",
      "time ",
      "coproc ",
      "trap bad EXIT",
      "{ bad; }",
      "#",
      " & ",
      "!!",
      "-- ",
      "case a in a) bad;; esac",
      "function ok { bad; }\n",
      "[[ a ]] ",
      "((1))",
      "$((bad))",
      "set -- bad; ",
      ". bad;",
      "~/bad",
    ),
  },
);
const SCRIPT = fc.array(PIECE, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(""));

verifies(
  "security.s80",
  "scripts that rules allow run no other command in a real shell, and write no file",
  async () => {
    const root = await mkdtemp(path.join(tmpdir(), "rules-"));
    try {
      const [bin, cwd, log] = ["bin", "cwd", "log"].map((name) => path.join(root, name)) as [
        string,
        string,
        string,
      ];
      await Promise.all([mkdir(bin), mkdir(cwd), mkdir(path.join(root, "rules"))]);
      await writeFile(path.join(root, "rules/a.rules"), RULES);
      for (const name of STUBS) {
        const file = path.join(bin, name);
        await writeFile(
          file,
          // One write, because the commands of a pipe run at the same time.
          `#!/bin/sh\nprintf '%s\\0' ${name} "$@" '\n' >> "${log}"\n`,
        );
        await chmod(file, 0o755);
      }
      const rules = ruleFiles({ home: root });
      const ran = async (shell: string, script: string): Promise<string[][]> => {
        await writeFile(log, "");
        await run(shell, ["-c", script], { cwd, env: { PATH: bin, HOME: cwd }, timeout: 10_000 }).catch(
          () => {},
        );
        const words = (await readFile(log, "utf8")).split("\0");
        const commands: string[][] = [[]];
        for (const word of words) {
          if (word === "\n") commands.push([]);
          else commands.at(-1)?.push(word);
        }
        return commands.filter((command) => command.join("") !== "");
      };
      // Without the rules' decision, the other program runs: the stubs would show it.
      expect(await ran("/bin/bash", "ok $(bad)")).toContainEqual(["bad"]);

      let allowed = 0;
      const fixed = [
        "ok",
        "ok -x | good a && git status",
        "good 'b c' || ok; git status -s",
        "good '$(bad)'",
      ];
      for (const script of [...fixed, ...fc.sample(SCRIPT, { seed: 80, numRuns: 1500 })]) {
        for (const shell of ["/bin/bash", "/bin/sh"]) {
          const { commands, plain } = await rules.judge({ argv: [shell, "-c", script], cwd });
          if (!plain || !commands.every(({ rule }) => rule?.decision === "allow")) {
            expect(fixed).not.toContain(script);
            continue;
          }
          allowed++;
          const known = commands.map(({ words }) => JSON.stringify(words));
          for (const command of await ran(shell, script)) {
            expect([script, known]).toEqual([script, expect.arrayContaining([JSON.stringify(command)])]);
          }
        }
      }
      expect(allowed).toBeGreaterThan(60);
      expect(await readdir(cwd)).toEqual([]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);

/** How a shell lists the commands that it has itself. */
const OWN_COMMANDS: Readonly<Record<string, string>> = {
  "/bin/bash": "compgen -b; compgen -k",
  "/usr/bin/zsh": "print -l ${(k)builtins} ${(k)reswords}",
  "/bin/dash":
    "echo . : [ alias bg break cd chdir command continue echo eval exec exit export false fg getopts hash jobs kill local printf pwd read readonly return set shift test times trap true type ulimit umask unalias unset wait",
};

/** Arguments of plain words by which a command of a shell may run a program or change a variable. */
const ATTACKS = [
  "'touch ran'",
  "'a[$(touch ran)]'",
  "-c 'touch ran'",
  "-x touch ran",
  "-p touch ran",
  "-C 'touch ran' x",
  "-P '$(touch ran)'",
  "-v 'a[$(touch ran)]'",
  "-v 'a[$(touch ran)]' x",
  "-t 'a[$(touch ran)]'",
  "-m 'a[$(touch ran)]'",
  "a 'a[$(touch ran)]' b",
  "+'a[$(touch ran)]'",
  "-v PATH /evil",
  "PATH=/evil",
  "-p /evil/git git",
];

verifies(
  "security.s80",
  "commands of the shell itself that run what their words name are never allowed by rules",
  async () => {
    const root = await mkdtemp(path.join(tmpdir(), "rules-"));
    try {
      const cwd = path.join(root, "cwd");
      await Promise.all([mkdir(cwd), mkdir(path.join(root, "rules"))]);
      const shells = Object.entries(OWN_COMMANDS).filter(([shell]) => existsSync(shell));
      const ran = path.join(cwd, "ran");
      let dangerous = 0;
      for (const [shell, listing] of shells) {
        const { stdout } = await run(shell, ["-c", listing], { env: {} });
        const names = [...new Set<string>(stdout.split(/\s+/).filter((name) => name !== ""))];
        const rule = (name: string): string => `prefix_rule(pattern=[${JSON.stringify(name)}])`;
        await writeFile(path.join(root, "rules/a.rules"), names.map(rule).join("\n"));
        const rules = ruleFiles({ home: root });
        const runs = async (scripts: readonly string[]): Promise<boolean> => {
          const script = scripts.map((each) => `(${each}; echo "path:$PATH") </dev/null`).join("\n");
          const { stdout: paths } = await run(shell, ["-c", script], { cwd, env: { PATH: "/usr/bin:/bin" } });
          const found = existsSync(ran) || paths.includes("path:/evil");
          await rm(ran, { force: true });
          return found;
        };
        for (const name of names) {
          const allowed: string[] = [];
          for (const attack of ATTACKS) {
            const script = `'${name}' ${attack}`;
            const { commands, plain } = await rules.judge({ argv: [shell, "-lc", script], cwd });
            if (plain && commands.every((each) => each.rule?.decision === "allow")) allowed.push(script);
          }
          expect([shell, allowed, allowed.length > 0 && (await runs(allowed))]).toEqual([
            shell,
            allowed,
            false,
          ]);
          // Without this decision, the attack works.
          if (["printf", "read"].includes(name) && !shell.endsWith("dash")) {
            expect([name, await runs(ATTACKS.map((attack) => `${name} ${attack}`))]).toEqual([name, true]);
            dangerous++;
          }
        }
      }
      expect(dangerous).toBeGreaterThanOrEqual(2);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
