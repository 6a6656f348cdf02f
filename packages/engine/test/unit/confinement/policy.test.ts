import fc from "fast-check";
import { expect } from "vitest";
import { canWrite, pinPolicy, planMounts, resolvePolicy, type Disk } from "@codexwright/engine/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { errorOf, memoryDisk } from "./memory-disk.ts";

const WRITE = { type: "workspaceWrite", excludeSlashTmp: true, excludeTmpdirEnvVar: true } as const;

verifies("engine.sandbox.policy", "turns each kind of policy into roots and protected paths", () => {
  const place = { cwd: "/w", home: "/home/.codex", tmpdir: "/var/tmp/x", ownCode: ["/w/node_modules"] };
  expect(resolvePolicy({ type: "dangerFullAccess" }, place)).toBeUndefined();
  expect(resolvePolicy({ type: "externalSandbox" }, place)).toBeUndefined();
  const policy = resolvePolicy(
    { type: "workspaceWrite", writableRoots: ["/b/../c"], networkAccess: true },
    place,
  );
  expect(policy).toEqual({
    writableRoots: ["/w", "/c", "/tmp", "/var/tmp/x"],
    grantedRoots: [],
    readOnlyPaths: ["/w", "/c", "/tmp", "/var/tmp/x"].flatMap((root) =>
      [".git", ".agents", ".codex"].map((name) => `${root}/${name}`),
    ),
    neverWritable: ["/home/.codex", "/w/node_modules"],
    exceptions: ["/home/.codex/worktrees"],
    network: true,
  });
  expect(resolvePolicy({ type: "readOnly", networkAccess: true }, place)).toMatchObject({
    writableRoots: [],
    network: true,
  });
  const granted = { ...place, grants: { writable: ["/g"], network: true } };
  expect(resolvePolicy({ type: "readOnly" }, granted)).toMatchObject({
    writableRoots: [],
    grantedRoots: ["/g"],
    readOnlyPaths: ["/g/.git", "/g/.agents", "/g/.codex"],
    network: true,
  });
  // A policy of a newer version.
  expect(
    resolvePolicy({ type: "newer", writableRoots: ["/x"], networkAccess: true } as never, place),
  ).toMatchObject({
    writableRoots: [],
    network: false,
  });
});

verifies(
  ["engine.sandbox.policy", "security.s73"],
  "never makes CODEX_HOME or the server's code writable, wherever the roots are",
  () => {
    const disk = memoryDisk({
      "/w/.codex/": "",
      "/w/.codex/auth.json": "{}",
      "/w/.codex/sessions/": "",
      "/w/.codex/worktrees/a/": "",
      "/w/node_modules/server/": "",
      "/link": { link: "/w/.codex" },
    });
    const own = { home: "/w/.codex", ownCode: ["/w/node_modules/server"] };
    const check = (cwd: string, roots: readonly string[] = []): ((file: string) => boolean) => {
      const policy = resolvePolicy({ ...WRITE, writableRoots: [...roots] }, { cwd, ...own });
      if (!policy) throw new Error("no policy");
      const pinned = pinPolicy(policy, disk);
      return (file) => canWrite(pinned, file);
    };
    const secret = ["auth.json", "config.toml", "rules/default.rules", "sessions/x", "worktrees"];
    for (const roots of [
      ["/w"],
      ["/"],
      ["/w/.codex"],
      ["/w/.codex/sessions", "/w/.codex/rules"],
      ["/link"],
      ["/link/sessions"],
      ["/w/.codex/worktrees"],
      ["/w/.codex/worktrees/a/../.."],
    ]) {
      const writable = check("/elsewhere", roots);
      expect(secret.filter((name) => writable(`/w/.codex/${name}`))).toEqual([]);
      expect(writable("/w/node_modules/server/index.js")).toBe(false);
    }
    expect(check("/w/.codex/worktrees/a")("/w/.codex/worktrees/a/src.ts")).toBe(true);
    expect(check("/w/.codex/worktrees/a")("/w/.codex/worktrees/a/.git/config")).toBe(false);
  },
);

verifies("engine.sandbox.links", "refuses a protected path that a command could replace by its link", () => {
  const pin = (tree: Parameters<typeof memoryDisk>[0], cwd = "/w"): unknown => {
    const policy = resolvePolicy(WRITE, { cwd, home: "/w/home", ownCode: ["/w/lib/server"] });
    return policy && errorOf(() => pinPolicy(policy, memoryDisk(tree)));
  };
  for (const tree of [
    { "/w/": "", "/w/.git": { link: "store" }, "/w/store/": "" },
    { "/w/": "", "/w/.codex": { link: "/nowhere" } },
    { "/w/": "", "/w/home": { link: "/w/real" }, "/w/real/": "" },
    { "/w/": "", "/w/lib": { link: "real" }, "/w/real/server/": "" },
    { "/w/": "", "/w/.git": { link: ".git" } },
  ]) {
    expect(pin(tree)).toMatchObject({ code: "sandbox_unavailable" });
  }
  // A link outside of the roots cannot be replaced.
  expect(pin({ "/real/": "", "/w": { link: "/real" } })).toBeUndefined();
});

verifies(
  ["engine.sandbox.links", "security.s77"],
  "refuses a root that leads through a link which a command could replace",
  () => {
    const pin = (tree: Parameters<typeof memoryDisk>[0], roots: readonly string[], grants: string[] = []) => {
      const place = { cwd: "/w", grants: { writable: grants } };
      const policy = resolvePolicy({ ...WRITE, writableRoots: [...roots] }, place);
      if (!policy) throw new Error("no policy");
      return pinPolicy(policy, memoryDisk(tree));
    };
    const tree = {
      "/w/": "",
      "/etc/": "",
      "/w/link": { link: "/etc" },
      "/w/hop": { link: "link" },
      "/w/a/b": { link: "../hop" },
      "/w/own": { link: "a" },
      "/x/out": { link: "/w/link" },
      "/x/etc": { link: "/etc" },
      "/x/self": { link: "." },
    };
    for (const root of [
      "/w/link",
      "/w/hop",
      "/w/a/b",
      "/x/out",
      "/w/own/b",
      "/w/link/deep",
      "/w/../w/link",
      "/x/self",
    ]) {
      expect([root, errorOf(() => pin(tree, [root]))]).toEqual([
        root,
        expect.objectContaining({ code: "sandbox_unavailable" }),
      ]);
    }
    // No command can replace this link.
    expect(pin(tree, ["/x/etc"]).roots).toEqual(["/w", "/etc"]);
    // A root that is a link at one look and a folder at the next.
    const disk = memoryDisk(tree);
    for (let which = 0; which < 12; which++) {
      let looks = 0;
      const policy = resolvePolicy({ ...WRITE, writableRoots: ["/w/link"] }, { cwd: "/w" });
      const kind: Disk["kind"] = (file) =>
        file === "/w/link" && looks++ !== which ? "folder" : disk.kind(file);
      let pinned;
      try {
        pinned = policy && pinPolicy(policy, { ...disk, kind });
      } catch {
        continue;
      }
      expect([which, pinned && canWrite(pinned, "/etc/x")]).toEqual([which, false]);
    }
    // A granted folder is granted only as the user saw it.
    const granted = pin(tree, [], ["/w/link", "/w/a", "/x/etc"]);
    expect(granted.roots).toEqual(["/w", "/w/a"]);
    expect(canWrite(granted, "/etc/x")).toBe(false);
    expect(canWrite(granted, "/w/a/.git/x")).toBe(false);
  },
);

verifies("engine.sandbox.git", "protects the repository that a .git file names", () => {
  const disk = memoryDisk({
    "/w/": "",
    "/w/.git": "gitdir: ./store/worktrees/a\n",
    "/w/store/worktrees/a/commondir": "../..\n",
    "/w/store/config": "",
  });
  const policy = resolvePolicy(WRITE, { cwd: "/w" });
  const pinned = policy && pinPolicy(policy, disk);
  if (!pinned) throw new Error("no policy");
  for (const file of ["/w/.git", "/w/store/config", "/w/store/hooks/x", "/w/store/worktrees/a/HEAD"]) {
    expect(canWrite(pinned, file)).toBe(false);
  }
  expect(canWrite(pinned, "/w/src.ts")).toBe(true);
});

verifies(
  "security.s73",
  "protects the repository to which the system takes the path in a .git file, with links and .. in it",
  () => {
    const pin = (tree: Parameters<typeof memoryDisk>[0]): unknown => {
      const policy = resolvePolicy(WRITE, { cwd: "/w" });
      return errorOf(() => policy && pinPolicy(policy, memoryDisk(tree)));
    };
    // The link decides which folder is the repository, and a command could replace it.
    for (const named of ["link/../store", "/w/link/../store", "./a/../link/.././store"]) {
      const tree = {
        "/w/.git": `gitdir: ${named}\n`,
        "/w/link": { link: "b/c" },
        "/w/b/c/": "",
        "/w/a/": "",
      };
      expect(pin(tree)).toMatchObject({ code: "sandbox_unavailable" });
    }
    const shared = { "/w/.git": "gitdir: store\n", "/w/store/commondir": "../link/../common\n" };
    expect(pin({ ...shared, "/w/link": { link: "b/c" } })).toMatchObject({ code: "sandbox_unavailable" });
    // A link outside of the roots cannot be replaced. It leads to /w/store here.
    const disk = memoryDisk({ "/w/.git": "gitdir: /link/../store", "/link": { link: "/w/b" }, "/w/b/": "" });
    const policy = resolvePolicy(WRITE, { cwd: "/w" });
    const pinned = policy && pinPolicy(policy, disk);
    expect(pinned && canWrite(pinned, "/w/store/config")).toBe(false);
    expect(pinned && canWrite(pinned, "/w/b/config")).toBe(true);
  },
);

const NAMES = ["a", "b", ".git", ".codex", "node_modules"] as const;
const someFile = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join("/")}`);

verifies(
  ["engine.sandbox.patches", "security.s73"],
  "mounts allow a write exactly where the check for patches allows it",
  () => {
    fc.assert(
      fc.property(
        fc.record({
          folders: fc.array(someFile, { maxLength: 8 }),
          cwd: someFile,
          roots: fc.array(someFile, { maxLength: 3 }),
          home: someFile,
          ownCode: fc.array(someFile, { maxLength: 2 }),
          asked: fc.array(someFile, { minLength: 1, maxLength: 10 }),
        }),
        ({ folders, cwd, roots, home, ownCode, asked }) => {
          const disk = memoryDisk(Object.fromEntries([cwd, ...folders].map((each) => [`${each}/`, ""])));
          const policy = resolvePolicy({ ...WRITE, writableRoots: roots }, { cwd, home, ownCode });
          if (!policy) throw new Error("no policy");
          const pinned = pinPolicy(policy, disk);
          const plan = planMounts(pinned, disk);
          for (const file of asked) {
            const mounted = mountOf(file, plan) === "writable";
            // A missing folder above a protected path is covered as a whole, so the mounts may allow less.
            if (mounted) expect({ file, is: canWrite(pinned, file) }).toEqual({ file, is: true });
            else if (!isCovered(file, plan, disk))
              expect({ file, is: canWrite(pinned, file) }).toEqual({ file, is: false });
          }
        },
      ),
      { seed: 24, numRuns: 2000 },
    );
  },
);

function mountOf(file: string, plan: ReadonlyMap<string, string>): string | undefined {
  for (let at = file; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const kind = plan.get(at);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function isCovered(file: string, plan: ReadonlyMap<string, string>, disk: Disk): boolean {
  for (let at = file; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    if (plan.get(at) === "empty" && disk.kind(at) === undefined) return true;
  }
  return false;
}

verifies(
  "security.s73",
  "makes every folder above a protected path a mount point, so that it cannot be moved",
  () => {
    const disk = memoryDisk({ "/w/a/b/server/": "", "/w/a/b/other/": "" });
    const policy = resolvePolicy(WRITE, { cwd: "/w", ownCode: ["/w/a/b/server", "/w/a/missing/deep/x"] });
    if (!policy) throw new Error("no policy");
    expect([...planMounts(pinPolicy(policy, disk), disk)].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ["/w", "writable"],
      ["/w/.agents", "empty"],
      ["/w/.codex", "empty"],
      ["/w/.git", "empty"],
      ["/w/a", "writable"],
      ["/w/a/b", "writable"],
      ["/w/a/b/server", "readOnly"],
      ["/w/a/missing", "empty"],
    ]);
  },
);
