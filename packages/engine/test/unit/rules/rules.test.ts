import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { ruleFiles } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

interface Home extends AsyncDisposable {
  readonly folder: string;
  /** Judges a script, as `decision plain commands`. */
  judge(script: string, shell?: string): Promise<string>;
  problems(): Promise<readonly string[]>;
}

async function homeWith(files: Readonly<Record<string, string>>): Promise<Home> {
  const folder = await mkdtemp(path.join(tmpdir(), "rules-"));
  await mkdir(path.join(folder, "rules"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, "rules", name), text);
  const rules = ruleFiles({ home: folder });
  const judge = async (script: string, shell = "/bin/bash"): Promise<string> => {
    const { commands, plain } = await rules.judge({ argv: [shell, "-lc", script], cwd: "/" });
    const decisions = commands.map(({ rule }) => rule?.decision ?? "-");
    return `${decisions.join(" ")} ${plain ? "plain" : "complex"}`.trim();
  };
  return {
    folder,
    judge,
    problems: async () => (await rules.judge({ argv: ["/bin/bash", "-lc", "x"], cwd: "/" })).problems,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const RULES = `
# Comments and white space only separate.
prefix_rule(pattern=["git", ["status", "log"]], decision="allow", match=["git status -s"], not_match=[["git", "push"]])
prefix_rule(
    pattern = ['git', "push",],
    decision = "prompt",
    justification = """asks
first""",
)
prefix_rule(pattern=["wc"], decision="forbidden")
prefix_rule(pattern=["touch"])
host_executable(name = "git", paths = ["/usr/bin/git"])
network_rule(host = "a.test", protocol = "https", decision = "allow")
`;

verifies("engine.approvals.rules", "finds the strictest rule for every simple command", async () => {
  await using home = await homeWith({ "default.rules": RULES });
  expect(await home.problems()).toEqual([]);
  const table: Readonly<Record<string, string>> = {
    "git status": "allow plain",
    "git log -1 && touch 'a b' | git status; touch x": "allow allow allow allow plain",
    "git 'status'": "allow plain",
    'git "st"atus': "allow plain",
    "git push": "prompt plain",
    "git status && wc x": "allow forbidden plain",
    "/usr/bin/wc x": "forbidden plain",
    "/usr/bin/touch x": "- plain",
    "./touch x": "- plain",
    gitstatus: "- plain",
    // A script that is not plain is never allowed, but rules still forbid the commands in it.
    "touch $(wc x)": "allow forbidden complex",
    "touch `wc x`": "allow forbidden complex",
    "(touch a; wc b)": "allow forbidden complex",
    "cat <(wc x)": "- forbidden complex",
    "cat <<EOF\n$(wc x)\nEOF": "- forbidden complex",
    "if touch a; then wc b; fi": "allow forbidden complex",
    "f() { wc x; }; f": "forbidden - complex",
    "A=1 wc x": "forbidden complex",
    "w\\c x": "forbidden complex",
    "bash -c 'wc x'": "- forbidden complex",
    "touch x > y": "allow complex",
    "touch x <<< y": "allow complex",
    "touch *": "allow complex",
    "touch {a,b}": "allow complex",
    "touch ~": "allow complex",
    "touch [ab]": "allow complex",
    "touch $X": "allow complex",
    "touch $'a'": "allow complex",
    'touch "$X"': "allow complex",
    'touch "a\\"b"': "allow complex",
    "touch a &": "allow complex",
    "touch a |& touch b": "allow allow complex",
    "! touch a": "allow complex",
    "touch a # b": "allow complex",
    "touch a\ntouch b": "allow allow complex",
    "touch\u00A0a": "complex",
    "touch a\\\n b": "allow complex",
    "touch a\r": "allow complex",
    "X=1 touch a": "allow complex",
    "touch a && X=1": "allow complex",
    "export X=1; touch a": "allow complex",
    "alias touch=wc; touch a": "- allow complex",
    "touch a; (": "complex",
    "": "complex",
  };
  for (const [script, expected] of Object.entries(table)) {
    const judged = await home.judge(script);
    // A script with an error has no certain commands.
    const actual = expected === "complex" ? judged.split(" ").at(-1) : judged;
    expect([script, actual]).toEqual([script, expected]);
  }
  // Rules allow nothing in a program that only has the name of a shell.
  expect(await home.judge("touch a && wc b", "/work/bash")).toBe("allow forbidden complex");
  expect(await home.judge("touch a", "bash")).toBe("allow complex");
  expect(await home.judge("touch a", "/work/other")).toBe("- plain");
  expect(await home.judge("touch a", "/usr/bin/sh")).toBe("allow plain");
});

verifies(
  "engine.approvals.rules",
  "reads changed files again, and folders of a trusted project",
  async () => {
    await using home = await homeWith({});
    await using project = await homeWith({ "a.rules": 'prefix_rule(pattern=["ls"])' });
    expect(await home.judge("ls")).toBe("- plain");
    const rules = ruleFiles({ home: home.folder });
    const decision = async (...folders: string[]): Promise<string | undefined> => {
      const { commands } = await rules.judge({ argv: ["/bin/sh", "-c", "ls"], cwd: "/", folders });
      return commands[0]?.rule?.decision;
    };
    expect(await decision(project.folder)).toBe("allow");
    expect(await decision()).toBeUndefined();
    await writeFile(
      path.join(home.folder, "rules/b.rules"),
      'prefix_rule(pattern=["ls"], decision="forbidden")',
    );
    expect(await decision(project.folder)).toBe("forbidden");
    await rm(path.join(home.folder, "rules/b.rules"));
    expect(await decision(project.folder)).toBe("allow");
  },
);

verifies("engine.approvals.rules-broken", "names the file and the line, and allows nothing", async () => {
  const good = 'prefix_rule(pattern=["touch"])\nprefix_rule(pattern=["wc"], decision="forbidden")\n';
  const broken: Readonly<Record<string, string>> = {
    'prefix_rule(pattern=["a"]': "default.rules:1:",
    "\n\nprefix_rule(pattern=[])": "default.rules:3: pattern",
    'prefix_rule(pattern=["a"], decision="alow")': "decision must be",
    'prefix_rule(pattern=["a"], pattern=["b"])': "repeated",
    'prefix_rule(pattern=["a"], patern=["b"])': "unknown argument patern",
    'prefix_rule(pattern=["a"], match=["b"])': "does not match its example",
    'prefix_rule(pattern=["a"], not_match=["a b"])': "not_match",
    'prefix_rule(pattern=[["a", 1]])': "pattern",
    'prefix_rule(["a"])': "expected the name of an argument",
    "x = 1": "expected (",
    'load("x", "y")': "expected the name of an argument",
    'prefix_rule(pattern=["a" + "b"])': "unexpected",
    "prefix_rule(pattern=[chr(7)])": "expected a string",
    'prefix_rule(pattern=["\\q"])': "invalid escape",
    'prefix_rule(pattern=["a\n"])': "closing quote",
    [`prefix_rule(pattern=${"[".repeat(100_000)}`]: "nested more than",
    ["#".repeat(1024 * 1024 + 1)]: "larger than",
    ["prefix_rule(pattern=['a'])\n".repeat(10_001)]: "more than 10000 rules",
  };
  for (const [text, problem] of Object.entries(broken)) {
    await using home = await homeWith({ "a.rules": good, "default.rules": text });
    const [found = ""] = await home.problems();
    expect(found).toContain(problem);
    expect(found).toContain(path.join(home.folder, "rules/default.rules:"));
    expect(await home.judge("touch a")).toBe("- plain");
    expect(await home.judge("wc a")).toBe("forbidden plain");
  }
});

verifies(
  "engine.approvals.rules-append",
  "appends a rule that holds at once, as Codex writes it",
  async () => {
    await using home = await homeWith({ "default.rules": '# mine\nprefix_rule(pattern=["ls"])' });
    const file = path.join(home.folder, "rules/default.rules");
    const rules = ruleFiles({ home: home.folder });
    await Promise.all([
      rules.allow(["touch", 'a "b"\n\\', "\u2028é"]),
      rules.allow(["touch", "c"]),
      rules.allow(["touch", "c"]),
    ]);
    const text = await readFile(file, "utf8");
    expect(text).toContain('# mine\nprefix_rule(pattern=["ls"])\nprefix_rule(pattern=["touch", ');
    expect(
      text.split("\n").filter((line) => line === 'prefix_rule(pattern=["touch", "c"], decision="allow")')
        .length,
    ).toBe(1);
    expect(await home.problems()).toEqual([]);
    expect(await home.judge("touch c d")).toBe("allow plain");
    const { commands } = await rules.judge({ argv: ["touch", 'a "b"\n\\', "\u2028é"], cwd: "/" });
    expect(commands[0]?.rule?.decision).toBe("allow");
  },
);

verifies(
  "engine.approvals.rules-append",
  "creates a private file, and refuses links and broken files",
  async () => {
    await using home = await homeWith({});
    const file = path.join(home.folder, "rules/default.rules");
    const rules = ruleFiles({ home: home.folder });
    await rules.allow(["ls"]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o640);
    await rules.allow(["ls", "a"]);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    await writeFile(file, "broken(");
    expect((await rejection(rules.allow(["x"]))) as Error).toMatchObject({ code: "invalid_rules", line: 1 });
    expect(await readFile(file, "utf8")).toBe("broken(");
    await rm(file);
    const elsewhere = path.join(home.folder, "elsewhere");
    await writeFile(elsewhere, "");
    await symlink(elsewhere, file);
    await rejection(rules.allow(["x"]));
    expect(await readFile(elsewhere, "utf8")).toBe("");
  },
);

verifies(
  "security.s85",
  "files that are not rules allow nothing, and the other files still forbid",
  async () => {
    const forbid = 'prefix_rule(pattern=["wc"], decision="forbidden")\nprefix_rule(pattern=["touch"])';
    const make: Readonly<Record<string, (file: string) => unknown>> = {
      fifo: (file) => execFileSync("mkfifo", [file]),
      folder: (file) => mkdir(file),
      huge: async (file) => {
        await writeFile(file, "");
        await truncate(file, 20 * 1024 ** 3);
      },
      dangling: (file) => symlink("nowhere", file),
      loop: (file) => symlink(file, file),
      device: (file) => symlink("/dev/zero", file),
      kernel: (file) => symlink("/proc/kmsg", file),
      binary: (file) => writeFile(file, Buffer.from([0, 255, 254])),
    };
    for (const [kind, create] of Object.entries(make)) {
      await using home = await homeWith({ "a.rules": forbid });
      await create(path.join(home.folder, "rules/b.rules"));
      expect([kind, await home.judge("touch a")]).toEqual([kind, "- plain"]);
      expect([kind, await home.judge("wc a")]).toEqual([kind, "forbidden plain"]);
      expect([kind, (await home.problems()).length]).toEqual([kind, 1]);
    }
  },
);

verifies("security.s85", "rules with random text never throw and never allow", async () => {
  await using home = await homeWith({});
  const file = path.join(home.folder, "rules/a.rules");
  const valid = 'prefix_rule(pattern=["touch", ["a", "b"]], decision="allow", match=["touch a"])';
  const broken = fc
    .tuple(fc.nat(valid.length - 1), fc.nat(6), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([at, cut, text]) => valid.slice(0, at) + text + valid.slice(at + cut));
  const rules = ruleFiles({ home: home.folder });
  for (const text of fc.sample(broken, { seed: 85, numRuns: 40 })) {
    await writeFile(file, text);
    const { commands, problems } = await rules.judge({ argv: ["other", "x"], cwd: "/" });
    expect(commands.every(({ rule }) => rule === undefined)).toBe(true);
    for (const problem of problems) expect(problem).toContain("a.rules:");
  }
});

verifies(
  "security.s80",
  "scripts that are long or deeply nested are read in bounded time and memory",
  async () => {
    await using home = await homeWith({ "a.rules": 'prefix_rule(pattern=["ok"])' });
    const scripts = [
      "(".repeat(60_000),
      "$(".repeat(30_000),
      "`".repeat(60_000),
      '"$('.repeat(20_000),
      "{ ".repeat(30_000),
      "if ok; then ".repeat(5_000),
      "<<A ".repeat(15_000),
      "ok;".repeat(20_000),
      "ok|".repeat(20_000),
      `ok ${"a ".repeat(30_000)}`,
      `ok ${"'a'".repeat(20_000)}`,
      "bash -c 'ok';".repeat(4_000),
      "ok ".repeat(1_000_000),
    ];
    for (const script of scripts) {
      const judged = await home.judge(script);
      if (!/^ok[ a']*$/.test(script))
        expect([script.slice(0, 20), judged.endsWith("complex")]).toEqual([script.slice(0, 20), true]);
    }
    expect(await home.judge("ok a")).toBe("allow plain");
  },
);
