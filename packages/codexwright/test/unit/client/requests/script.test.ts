import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { scriptOf } from "codexwright/client";
import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { shellLine, shellWords } from "../../../../src/client/requests/script.ts";

/**
 * Any text that an argument can contain, including line breaks, quotes, control characters and emoji, but not NUL.
 */
const WORD = fc.string({ unit: "binary", maxLength: 8 }).filter((word) => !word.includes("\0"));

/** Text in which most characters have a meaning in a shell. */
const NASTY = fc.string({
  unit: fc.constantFrom(...Array.from(`ab '"\\$\`\n\t#~*?[]{}()!^&|;<>=-,\u00A0\u3000é`)),
  maxLength: 8,
});

const TEXT = fc.oneof(WORD, NASTY);

/** Puts a backslash before every character. */
const escaped = (text: string): string => text.replaceAll(/[^]/gu, String.raw`\$&`);

/** A part of a word in one of the quoting styles. */
const PART = fc.oneof(
  TEXT.map((text) => `'${text.replaceAll("'", "")}'`),
  TEXT.map((text) => `"${text.replaceAll(/[$`"\\]/g, String.raw`\$&`)}"`),
  // In double quotes, a backslash is literal if the next character has no special meaning there.
  fc.constantFrom("a", "'", "\n", "$", "é", "😀", "\t").map((char) => `"\\${char}"`),
  TEXT.map(escaped),
  fc.stringMatching(/^[\w@%+:,./\]-]{1,5}$/),
);

const LINE = fc
  .array(fc.array(PART, { minLength: 1, maxLength: 4 }), { maxLength: 4 })
  .map((words) => words.map((parts) => parts.join("")).join(" \t"));

const SHELLS = ["/bin/sh", "/bin/bash"];

/** Returns the lines that a shell splits into other words than we do. */
function misread(shell: string, lines: readonly string[]): string[] {
  const words = wordsOf(shell, lines);
  return lines.filter((line, at) => JSON.stringify(shellWords(line)) !== JSON.stringify(words[at]));
}

/** Splits each line with a real shell. The shell finds no programs, but it finds files that patterns would match. */
function wordsOf(shell: string, lines: readonly string[]): string[][] {
  const folder = mkdtempSync(path.join(tmpdir(), "codexwright-words-"));
  try {
    for (const name of ["a", "ab", "b"]) writeFileSync(path.join(folder, name), "");
    const { stdout } = spawnSync(shell, ["-s"], {
      cwd: folder,
      env: { PATH: "/nowhere", HOME: "/home", LC_ALL: "C.UTF-8" },
      input: lines.map((line) => `set -- ${line}\nprintf '%s\\0' "$#" "$@"\n`).join(""),
      encoding: "utf8",
      maxBuffer: 1e8,
    });
    const told = stdout.split("\0");
    return lines.map(() => told.splice(0, 1 + Number(told[0])).slice(1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("splitting a command line", () => {
  verifies("requests.script", "returns the quoted words, whatever they contain", () => {
    fc.assert(
      fc.property(fc.array(TEXT, { maxLength: 5 }), (words) => {
        expect(shellWords(shellLine(words))).toEqual(words);
        expect(scriptOf(shellLine(words))).toBe(scriptOf(words));
      }),
      { seed: 17, numRuns: 1000 },
    );
    fc.assert(
      fc.property(TEXT, (script) => {
        const line = shellLine(["/bin/bash", "-lc", script]);
        expect(scriptOf(line)).toBe(/^[-+]/.test(script) ? undefined : script);
      }),
      { seed: 18, numRuns: 1000 },
    );
  });

  for (const shell of SHELLS) {
    verifies(
      "requests.script",
      `returns the same words as ${shell} for every quoting style`,
      () => {
        const quoted = fc.sample(fc.array(TEXT, { maxLength: 5 }).map(shellLine), {
          seed: 19,
          numRuns: 1000,
        });
        expect(misread(shell, quoted)).toEqual([]);
        expect(misread(shell, fc.sample(LINE, { seed: 20, numRuns: 2000 }))).toEqual([]);
      },
      { skip: onWindows },
    );

    verifies(
      "requests.script",
      `returns no words if ${shell} would do more than split the line`,
      () => {
        const read = fc
          .sample(NASTY, { seed: 21, numRuns: 20_000 })
          .filter((line) => shellWords(line).length > 0);
        expect(read.length).toBeGreaterThan(500);
        expect(misread(shell, read)).toEqual([]);
      },
      { skip: onWindows },
    );
  }

  verifies(
    "requests.script",
    "returns no script for operators, patterns, expansions and characters that only look like a space",
    () => {
      const more = ";x & |x >x <x (x) $x `x` * ? [ab] {a,b} ~ #x !x ^x".split(" ");
      for (const text of [...more, '"$x"', '"`x`"', "\nx", "\rx", "\u00A0x", "\u2028x", "\0"]) {
        expect(scriptOf(`bash -lc ${text}`)).toBeUndefined();
        expect(scriptOf(`bash -lc ls${text}`)).toBeUndefined();
      }
    },
  );
});

/** Spellings of a shell's name that are read as the same word. */
const SPELLINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  escaped,
  (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
];

verifies(
  "requests.script",
  "if a shell is not in a system folder, never shows its script without the shell",
  () => {
    const names = ["sh", "bash", "dash", "zsh"];
    const trusted = new Set([
      "/bin",
      "/usr/bin",
      "/usr/local/bin",
      "/opt/homebrew/bin",
      "/run/current-system/sw/bin",
    ]);
    const segment = fc.oneof(
      fc.constantFrom("bin", "usr", "local", "opt", "tmp", "w", ".", "..", "", "~"),
      TEXT,
    );
    const folder = fc
      .tuple(
        fc.constantFrom("/", "", "./", "../", "//", "/bin/", "/usr/bin/"),
        fc.array(segment, { maxLength: 4 }),
      )
      .map(([start, rest]) => start + rest.join("/"))
      .filter((each) => !trusted.has(each));
    const shell = fc.tuple(folder, fc.constantFrom(...names)).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(shell, fc.constantFrom("-c", "-lc"), (program, flag) => {
        expect(scriptOf([program, flag, "ls"])).toBeUndefined();
        expect(scriptOf(shellLine([program, flag, "ls"]))).toBeUndefined();
        for (const spelt of SPELLINGS) expect(scriptOf(`${spelt(program)} ${flag} ls`)).toBeUndefined();
      }),
      { seed: 22, numRuns: 2000 },
    );
    const others = [
      "./bash",
      "bin/sh",
      "/tmp/bash",
      "/local/bin/sh",
      "/bin/../tmp/bash",
      "~/bin/sh",
      "$HOME/bash",
      "/work/bin/zsh",
    ];
    const alike = ["BASH", "bash.exe", "rbash", "/bin/bash/", "bаsh"];
    for (const program of [...others, ...alike])
      for (const spelt of SPELLINGS) expect(scriptOf(`${spelt(program)} -lc ls`)).toBeUndefined();
    for (const program of ["bash\n", "bash ", "\nbash", " bash", "bash\0"])
      expect(scriptOf(shellLine([program, "-lc", "ls"]))).toBeUndefined();
    for (const program of [...[...trusted].map((each) => `${each}/`), ""].flatMap((each) =>
      names.map((name) => each + name),
    ))
      for (const spelt of SPELLINGS) expect(scriptOf(`${spelt(program)} -lc ls`)).toBe("ls");
  },
);
