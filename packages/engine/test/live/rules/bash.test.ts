import { execFile } from "node:child_process";
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
          `#!/bin/sh\nfor w in ${name} "$@"; do printf '%s\\0' "$w"; done >> "${log}"\nprintf '\\n\\0' >> "${log}"\n`,
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
