import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writes, type Attempt } from "./attempt.ts";
import type { World } from "./world.ts";

/** Attempts on files outside of the roots. */
export const FILES: readonly Attempt[] = [
  writes("writes outside of the root", "echo x >$OUT/escaped"),
  writes("writes through a relative path", "echo x >../out/escaped"),
  writes("writes through its own link to a folder", "ln -s $OUT $ROOT/link; echo x >$ROOT/link/escaped"),
  writes("writes through its own link to a file", "ln -s $OUT/escaped $ROOT/link; echo x >$ROOT/link"),
  writes(
    "hard-links a file outside and changes it",
    "ln $OUT/victim $ROOT/hard && echo escaped >>$ROOT/hard",
  ),
  writes(
    "moves a file from outside",
    "mv $OUT/victim $ROOT/ 2>/dev/null; [ -e $OUT/victim ] || touch $ROOT/escaped",
    {
      left: ({ root, out }) => has(`${root}/escaped`) && !has(`${out}/victim`),
    },
  ),
  writes("changes the mode of a file outside", "chmod 777 $OUT/victim && echo escaped"),
  writes("sets a time outside", "touch -d 2001-01-01 $OUT/victim && echo escaped"),
  writes("moves the root", "mv $ROOT $BASE/moved && echo escaped"),
  writes("writes to /proc/self/root", "echo x >/proc/self/root$OUT/escaped"),
  writes(
    "writes through the folders and descriptors of every process",
    // The paths name the folder of this test, because other processes of the machine must not be changed.
    `for p in /proc/[0-9]*; do
      (echo x >$p/root$OUT/escaped) 2>/dev/null
      for f in $p/fd/* $p/cwd; do (echo x >$f/../../$TOKEN/out/escaped) 2>/dev/null; done
    done`,
  ),
  writes("writes through an inherited descriptor", "echo x >/proc/self/fd/3/escaped"),
  writes("writes through an inherited descriptor above 9", "echo x >/proc/self/fd/12/escaped"),
  writes("runs a set-user-id program", "$BASE/setuid -u | grep -qx 0 && echo escaped", {
    users: ["nobody"],
    prepare: ({ base }) => setuidCopy("/usr/bin/id", `${base}/setuid`),
  }),
];

/** Attempts on protected files in a root. */
export const PROTECTED: readonly Attempt[] = [
  inRoot("writes a hook", "echo x >.git/hooks/pre-commit", ".git/hooks/pre-commit"),
  inRoot("changes the configuration of git", "echo '[core]' >>.git/config", ".git/config", true),
  inRoot(
    "replaces the folder of git",
    "mv .git old; mkdir -p .git/hooks; echo x >.git/hooks/post-merge",
    ".git/hooks/post-merge",
  ),
  inRoot("removes the folder of git", "rm -rf .git; mkdir -p .git && echo x >.git/escaped", ".git/escaped"),
  inRoot(
    "links over the folder of git",
    "mkdir evil; mv .git old; ln -s evil .git; [ -L .git ] && echo escaped",
  ),
  inRoot("makes .codex", "mkdir -p .codex; echo x >.codex/config.toml", ".codex/config.toml"),
  inRoot("replaces .codex", "rm -rf .codex; mkdir .codex; echo x >.codex/escaped", ".codex/escaped"),
  inRoot(
    "makes .agents",
    "mkdir -p .agents/skills; echo x >.agents/skills/escaped",
    ".agents/skills/escaped",
  ),
  inRoot("makes a link .agents", "ln -sfn evil .agents; [ -L .agents ] && echo escaped"),
  inRoot(
    "makes a repository",
    "rmdir .git; mkdir -p .git && echo x >.git/config",
    ".git/config",
    false,
    (world) => remove(`${world.root}/.git`),
  ),
  inRoot(
    "changes the repository that a .git file names",
    "echo x >store/repo/hooks/escaped",
    "store/repo/hooks/escaped",
    false,
    gitFile,
  ),
  inRoot(
    "moves the folder of the repository that a .git file names",
    "mv store old; mkdir -p store/repo/hooks; echo x >store/repo/hooks/escaped",
    "store/repo/hooks/escaped",
    false,
    gitFile,
  ),
  inRoot(
    "replaces a .git file",
    "rm -f .git; echo 'gitdir: evil' >.git; grep -q evil .git && echo escaped",
    undefined,
    false,
    gitFile,
  ),
  inRoot("writes auth.json", "echo escaped >home/auth.json", "home/auth.json", true),
  inRoot("adds a rule", "echo x >home/rules/default.rules", "home/rules/default.rules"),
  inRoot("replaces CODEX_HOME", "mv home old; mkdir home; echo x >home/config.toml", "home/config.toml"),
  inRoot("changes the server", "echo x >node_modules/server/index.js", "node_modules/server/index.js", true),
  inRoot(
    "replaces the folder above the server",
    "mv node_modules old; mkdir -p node_modules/server; echo x >node_modules/server/escaped",
    "node_modules/server/escaped",
  ),
];

function inRoot(
  name: string,
  script: string,
  file?: string,
  exists = false,
  prepare?: (world: World) => void,
): Attempt {
  return {
    name,
    script: `cd $ROOT; ${script}`,
    ...(prepare && { prepare }),
    ...(file !== undefined && {
      left: ({ root }: World) =>
        exists
          ? /escaped|core|x/.test(readFileSync(`${root}/${file}`, "utf8"))
          : existsSync(`${root}/${file}`),
    }),
  };
}

function gitFile({ root }: World): void {
  remove(`${root}/.git`);
  mkdirSync(`${root}/store/repo/hooks`, { recursive: true });
  writeFileSync(`${root}/.git`, "gitdir: store/repo\n");
}

function has(file: string): boolean {
  return existsSync(file);
}

function remove(file: string): void {
  rmSync(file, { recursive: true, force: true });
}

function setuidCopy(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o4755);
}
