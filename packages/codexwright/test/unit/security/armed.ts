import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { filesIn, folder, gitIn, type Folder } from "../workspace/folders.ts";

/** The places in which a hostile repository puts its git settings: a config file, or a file that a config includes. */
export const PLACES = [
  "config",
  "config.worktree",
  "include.path",
  "includeIf gitdir:**",
  "includeIf gitdir:**/worktrees/**",
  "includeIf gitdir/i:**/.GIT/**",
  "includeIf onbranch:**",
  "includeIf hasconfig:remote.*.url:**",
  "a chain of includes",
  "config.worktree of a linked worktree",
] as const;

export type Place = (typeof PLACES)[number];

export interface Armed extends Folder {
  /** The folder to create a worktree of. */
  readonly repo: string;
  /** Returns the programs that ran since the last call, by the setting that names them. */
  ran(): string[];
}

/**
 * A repository in which every setting that can name a program names one. Each program creates a file when it runs,
 * which `ran` reports.
 */
export function armed(place: Place): Armed {
  const all = folder({
    "repo/a.txt": "text\n",
    "repo/b.bin": "b",
    "repo/p.proc": "p",
    "repo/.gitattributes":
      "* filter=evil diff=evil merge=evil\n*.bin filter=a=b\n*.proc filter=proc diff=text\n",
    "repo/.gitmodules":
      '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c false\n\tupdate = !touch modules-ran\n',
    "marks/none": "",
  });
  const repo = all.path("repo");
  gitIn(repo, "init", "--quiet", "--template=", "-b", "main");
  gitIn(repo, "add", ".");
  const head = gitIn(repo, "hash-object", "--no-filters", "a.txt");
  gitIn(repo, "update-index", "--add", "--cacheinfo", `160000,${head},sub`);
  gitIn(repo, "commit", "--quiet", "-m", "one");
  const source = place === "config.worktree of a linked worktree" ? all.path("linked") : repo;
  if (source !== repo) gitIn(repo, "worktree", "add", "--quiet", "--detach", source);
  const marks = all.path("marks");
  disarmed(marks);
  arm(all, place, settings(all, all.path("repo/.git")));
  disarmed(marks);
  return {
    ...all,
    repo: source,
    ran: () => {
      const found = filesIn(marks);
      disarmed(marks);
      return found;
    },
  };
}

function disarmed(marks: string): void {
  rmSync(marks, { recursive: true, force: true });
  mkdirSync(marks);
}

export const HOOKS: readonly string[] = [
  "post-checkout",
  "reference-transaction",
  "post-index-change",
  "pre-commit",
  "post-commit",
  "pre-auto-gc",
  "fsmonitor-watchman",
];

/** Returns settings that name programs. Each program creates a file in the folder `marks` of `all` when it runs. */
export function settings(all: Folder, gitDir: string): string {
  const run = (name: string): string => `touch '${all.path("marks", name)}'; cat`;
  for (const hooks of [
    path.join(gitDir, "hooks"),
    path.join(gitDir, "own-hooks"),
    all.path("template/hooks"),
  ]) {
    mkdirSync(hooks, { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(path.join(hooks, hook), `#!/bin/sh\ntouch '${all.path("marks", hook)}'\n`);
      chmodSync(path.join(hooks, hook), 0o755);
    }
  }
  mkdirSync(path.join(gitDir, "info"), { recursive: true });
  writeFileSync(path.join(gitDir, "info/attributes"), "*.txt diff=evil filter=evil\n");
  const sections: readonly [string, Readonly<Record<string, string | readonly string[]>>][] = [
    [`filter "evil"`, { smudge: run("smudge"), clean: run("clean"), required: "true" }],
    [`filter "a=b"`, { smudge: run("odd-smudge"), clean: run("odd-clean") }],
    [`filter "proc"`, { process: run("process"), required: "true" }],
    [
      "core",
      {
        fsmonitor: run("fsmonitor"),
        hooksPath: path.join(gitDir, "own-hooks"),
        sshCommand: run("ssh"),
        gitProxy: run("proxy"),
        editor: run("editor"),
        pager: run("pager"),
        askPass: run("askpass"),
        alternateRefsCommand: run("alternate-refs"),
        attributesFile: path.join(gitDir, "info/attributes"),
      },
    ],
    [`hook "evil"`, { command: `touch '${all.path("marks", "config-hook")}'`, event: HOOKS.slice(0, -1) }],
    ["credential", { helper: `!${run("credential")}` }],
    ["diff", { external: run("external") }],
    [`diff "evil"`, { textconv: run("textconv"), command: run("diff-command") }],
    [`diff "text"`, { textconv: run("textconv-only") }],
    [`merge "evil"`, { driver: run("merge") }],
    ["gpg", { program: run("gpg") }],
    ["commit", { gpgSign: "true" }],
    ["log", { showSignature: "true" }],
    ["uploadpack", { packObjectsHook: run("pack-objects") }],
    [
      `remote "evil"`,
      {
        url: `ext::touch ${all.path("marks", "ext")}`,
        promisor: "true",
        partialCloneFilter: "blob:none",
        uploadpack: run("uploadpack"),
      },
    ],
    [`remote "vcs"`, { url: all.path("nowhere"), vcs: "ext", promisor: "true" }],
    [`submodule "sub"`, { update: `!${run("submodule")}`, active: "true", url: "ext::sh -c false" }],
    ["submodule", { recurse: "true" }],
    ["protocol", { allow: "always" }],
    [`protocol "ext"`, { allow: "always" }],
    ["init", { templateDir: all.path("template") }],
    ["gc", { auto: "1", recentObjectsHook: run("recent-objects") }],
    ["pager", { status: run("pager-status"), diff: "true" }],
    ["sequence", { editor: run("sequence-editor") }],
    ["interactive", { diffFilter: run("diff-filter") }],
    ["alias", { "rev-parse": `!${run("alias")}`, frob: `!${run("alias")}` }],
    ["trace2", { eventTarget: all.path("marks", "trace2") }],
  ];
  return sections
    .map(
      ([name, values]) =>
        `[${name}]\n${Object.entries(values)
          .flatMap(([key, value]) => [value].flat().map((each) => `\t${key} = ${quoted(each)}\n`))
          .join("")}`,
    )
    .join("");
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function arm(all: Folder, place: Place, text: string): void {
  const git = all.path("repo/.git");
  const config = (section: string, value: string): void =>
    writeFileSync(path.join(git, "config"), `[${section}]\n\tpath = ${value}\n`, { flag: "a" });
  const append = (file: string, what: string): void =>
    writeFileSync(path.join(git, file), what, { flag: "a" });
  // A repository that may fetch missing objects and has per-worktree settings.
  gitIn(all.path("repo"), "config", "core.repositoryFormatVersion", "1");
  gitIn(all.path("repo"), "config", "extensions.partialClone", "evil");
  if (place.startsWith("config.worktree"))
    gitIn(all.path("repo"), "config", "extensions.worktreeConfig", "true");
  if (place === "config") append("config", text);
  else if (place === "config.worktree") append("config.worktree", text);
  else if (place === "config.worktree of a linked worktree") append("worktrees/linked/config.worktree", text);
  else {
    append("settings", text);
    if (place === "include.path") config("include", "settings");
    else if (place === "a chain of includes") {
      config("include", "first");
      append("first", '[includeIf "gitdir:/"]\n\tpath = second\n');
      append("second", `[include]\n\tpath = ${path.join(git, "settings")}\n`);
    } else {
      const [, condition = ""] = place.split(" ");
      // Git rejects URLs in a file that is included because of a URL.
      if (condition.startsWith("hasconfig")) {
        writeFileSync(path.join(git, "settings"), text.replaceAll(/^\turl = .*\n/gm, ""));
      }
      append("config", '[remote "some"]\n\turl = https://localhost/some\n');
      config(`includeIf "${condition}"`, "settings");
    }
  }
}
