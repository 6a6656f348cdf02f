import { spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bubblewrap } from "@codexwright/engine/node";
import { resolvePolicy } from "@codexwright/engine/internal";
import type { ResolvedPolicy, Sandbox } from "@codexwright/engine";

/** The uid and gid of an ordinary user without rights of its own. */
export const NOBODY = 65_534;

export type User = "root" | "nobody" | "self";

/** Root runs everything as root and as an ordinary user. Another user runs everything as itself. */
export const USERS: readonly User[] = process.getuid?.() === 0 ? ["root", "nobody"] : ["self"];

const CODEX_BWRAP = ((): string | undefined => {
  const vendor = path.resolve(
    import.meta.dirname,
    `../../../../../node_modules/@openai/codex-linux-${process.arch}/vendor`,
  );
  if (!existsSync(vendor)) return undefined;
  return readdirSync(vendor)
    .map((target) => path.join(vendor, target, "codex-resources/bwrap"))
    .find((file) => existsSync(file));
})();

/** Debian's bubblewrap and the one in Codex's package, as far as they are here. */
export const PROGRAMS: readonly string[] = ["/usr/bin/bwrap", ...(CODEX_BWRAP ? [CODEX_BWRAP] : [])].filter(
  (file) => existsSync(file),
);

/** Runs a Perl expression, and prints "escaped" if its value is not negative, otherwise its errno. */
const TRY = `#!/usr/bin/perl
use Errno;
my $result = eval $ARGV[0];
my $code = $! + 0;
if ($@) { print "broken: $@"; exit 1; }
if (defined $result && $result >= 0) { print "escaped\\n"; exit; }
$! = $code;
print join(" ", grep { $!{$_} } keys %!), "\\n";
`;

/** The folders of one test: `root` is the writable root, `out` is outside. */
export interface World extends Disposable {
  readonly base: string;
  readonly root: string;
  readonly out: string;
  /** A copy of bubblewrap that every user can run. */
  readonly program: string;
  readonly policy: ResolvedPolicy;
  /** Gives the folders to the user. Call it after the last change. */
  own(): void;
}

export function world(user: User, program: string): World {
  const base = mkdtempSync(path.join(openFolder(), "codexwright-sandbox-"));
  chmodSync(base, 0o755);
  const [root, out] = [path.join(base, "root"), path.join(base, "out")];
  for (const folder of [
    root,
    out,
    `${root}/.git/hooks`,
    `${root}/home/rules`,
    `${root}/node_modules/server`,
  ]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(`${root}/.git/config`, "");
  writeFileSync(`${root}/home/auth.json`, "{}");
  writeFileSync(`${root}/node_modules/server/index.js`, "");
  writeFileSync(`${out}/victim`, "host\n");
  const copy = path.join(base, "bwrap");
  copyFileSync(program, copy);
  chmodSync(copy, 0o755);
  writeFileSync(`${base}/try`, TRY, { mode: 0o755 });
  const policy = resolvePolicy(
    { type: "workspaceWrite", excludeSlashTmp: true, excludeTmpdirEnvVar: true },
    { cwd: root, home: `${root}/home`, ownCode: [`${root}/node_modules/server`] },
  );
  if (!policy) throw new Error("the policy asks for no sandbox");
  return {
    base,
    root,
    out,
    program: copy,
    policy,
    own: () => give(base, user),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

function give(folder: string, user: User): void {
  if (user !== "nobody") return;
  chownSync(folder, NOBODY, NOBODY);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink() || ["bwrap", "setuid", "zero"].includes(entry.name)) continue;
    chownSync(file, NOBODY, NOBODY);
  }
}

/** A folder for temporary files that every user can reach. */
function openFolder(): string {
  for (const folder of [tmpdir(), "/var/tmp"]) {
    let isOpen = true;
    for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
      if ((statSync(at).mode & 0o001) === 0) isOpen = false;
    }
    accessSync(folder, constants.W_OK);
    if (isOpen) return folder;
  }
  throw new Error("no temporary folder that every user can reach");
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** The arguments that run a command as a user. */
export function asUser(user: User): string[] {
  return user === "nobody"
    ? ["/usr/bin/setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
    : [];
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program without a sandbox. A folder outside is open as descriptor 3, and another as 12. */
export function run(argv: readonly string[], options: RunOptions, folder?: string): Promise<Outcome> {
  const leaked = folder === undefined ? [] : Array.from({ length: 10 }, () => openSync(folder, "r"));
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program ?? "", args, {
      cwd: options.cwd,
      env: { PATH: "/usr/bin:/bin", LANG: "C", HOME: "/", ...options.env },
      stdio: ["ignore", "pipe", "pipe", ...leaked],
      detached: true,
    });
    for (const each of leaked) closeSync(each);
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (bytes: Buffer) => void (stdout += bytes.toString("latin1")));
    child.stderr?.on("data", (bytes: Buffer) => void (stderr += bytes.toString("latin1")));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ stdout, stderr: signal ? `${stderr}${signal}` : stderr, code: code ?? -1 }),
    );
  });
}

/**
 * Runs a command again if it was refused because of a mount outside of this test's folder. bubblewrap leaves a mount
 * writable that the user cannot reach, and other tests mount file systems in private folders.
 */
export async function besideMounts(base: string, start: () => Promise<Outcome>): Promise<Outcome> {
  for (;;) {
    const outcome = await start();
    const point = /the command was not run: (\S+) is writable/.exec(outcome.stderr)?.[1];
    if (point === undefined || point.startsWith(base)) return outcome;
  }
}

const sandboxes = new Map<string, Sandbox>();

/** Our sandbox with this bubblewrap. */
export function sandboxOf(program: string): Sandbox {
  let sandbox = sandboxes.get(program);
  if (!sandbox) sandboxes.set(program, (sandbox = bubblewrap({ path: program })));
  return sandbox;
}

/**
 * Runs a program in the sandbox. The server is this process. For another user, only bubblewrap runs as that user: `sh`
 * opens the seccomp filter of this process, and then changes the user.
 */
export async function confined(
  argv: readonly string[],
  options: RunOptions & {
    readonly user: User;
    readonly program: string;
    readonly copy: string;
    readonly policy: ResolvedPolicy;
  },
  folder?: string,
): Promise<Outcome> {
  const { user, cwd, program, copy, policy } = options;
  const wrapped = await sandboxOf(program).wrap({ argv, cwd, onData: () => {} }, policy);
  try {
    const line = wrapped.command.argv.flatMap((each) =>
      each === program ? [...asUser(user), copy] : [each],
    );
    return await besideMounts(path.dirname(copy), async () => await run(line, options, folder));
  } finally {
    await wrapped.release();
  }
}
