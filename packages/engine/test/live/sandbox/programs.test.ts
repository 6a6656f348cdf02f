import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { bubblewrap } from "@codexwright/engine/node";
import { resolvePolicy } from "@codexwright/engine/internal";
import { rejection } from "@codexwright/test-support/events";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { policyOf, runIn, shell, WRITE } from "./commands.ts";
import { PROGRAMS, world } from "./world.ts";

const NOBODY = 65_534;
const USER = process.getuid?.() === 0 ? "root" : "self";
const [PROGRAM = "/usr/bin/bwrap"] = PROGRAMS;
const LINUX = { skip: unlessLinux } as const;

verifies(
  ["engine.sandbox.program", "security.s79"],
  "uses no bubblewrap that another user or a command can replace",
  async () => {
    using folders = world(USER, PROGRAM);
    const { base, root } = folders;
    const before = process.env["PATH"];
    const fake = `#!/bin/sh\necho x >${base}/started\n`;
    mkdirSync(`${base}/shared`, { mode: 0o777 });
    for (const folder of [root, `${base}/shared`]) writeFileSync(`${folder}/bwrap`, fake, { mode: 0o755 });
    // The umask has removed the permission of others.
    chmodSync(`${base}/shared`, 0o777);
    try {
      process.env["PATH"] = [`${base}/shared`, path.relative(process.cwd(), root), ".", "", root].join(":");
      const sandbox = bubblewrap();
      const { ready } = await sandbox.status(policyOf(root));
      // Only the program in Codex's package remains, if it is here.
      expect(ready).toBe(PROGRAMS.some((file) => file.includes("codex-resources")));
      expect(existsSync(`${base}/started`)).toBe(false);
      const folder = path.resolve(import.meta.dirname, "../../../../..");
      if (ready && USER === "root") {
        const refused = sandbox.wrap(shell("true", folder), policyOf(folder));
        expect(await rejection(refused)).toMatchObject({ code: "sandbox_unavailable" });
      }
    } finally {
      process.env["PATH"] = before;
    }
  },
  LINUX,
);

verifies(
  ["engine.sandbox.program", "security.s79"],
  "in a folder with the sticky bit, uses a bubblewrap of this user, and none of another user or behind the link of one",
  async () => {
    using folders = world(USER, PROGRAM);
    const { base, root } = folders;
    const before = process.env["PATH"];
    const [started, shared] = [`${base}/started`, `${base}/shared`];
    const program = `#!/bin/sh\necho x >${started}\nexec ${PROGRAM} "$@"\n`;
    for (const folder of ["own/bin", "foreign/bin", "link"])
      mkdirSync(`${shared}/${folder}`, { recursive: true });
    for (const folder of ["own/bin", "foreign/bin", "link"])
      writeFileSync(`${shared}/${folder}/bwrap`, program, { mode: 0o755 });
    rmSync(`${shared}/link`, { recursive: true });
    symlinkSync(`${shared}/own/bin`, `${shared}/link`);
    lchownSync(`${shared}/link`, NOBODY, NOBODY);
    chownSync(`${shared}/foreign`, NOBODY, NOBODY);
    const isTried = async (bin: string, mode: number): Promise<boolean> => {
      chmodSync(shared, mode);
      process.env["PATH"] = bin;
      rmSync(started, { force: true });
      await bubblewrap().status(policyOf(root));
      return existsSync(started);
    };
    try {
      expect(await isTried(`${shared}/own/bin`, 0o1777)).toBe(true);
      expect(await isTried(`${shared}/own/bin`, 0o777)).toBe(false);
      expect(await isTried(`${shared}/foreign/bin`, 0o1777)).toBe(false);
      expect(await isTried(`${shared}/link`, 0o1777)).toBe(false);
      chownSync(shared, NOBODY, NOBODY);
      expect(await isTried(`${shared}/own/bin`, 0o1777)).toBe(false);
    } finally {
      process.env["PATH"] = before;
    }
  },
  { skip: unlessLinux || (USER !== "root" && "only root can give files to another user") },
);

verifies(
  ["engine.sandbox.program", "security.s79"],
  "does not even try a bubblewrap that a command of the policy could have written",
  async () => {
    const base = mkdtempSync(path.resolve(import.meta.dirname, "../../../../../node_modules/.bwrap-"));
    const before = process.env["PATH"];
    const [started, bin] = [`${base}/started`, `${base}/root/bin`];
    mkdirSync(bin, { recursive: true });
    mkdirSync(`${base}/other`);
    writeFileSync(`${bin}/bwrap`, `#!/bin/sh\necho x >${started}\nexec ${PROGRAM} "$@"\n`, { mode: 0o755 });
    symlinkSync(`${base}/root`, `${base}/link`);
    try {
      for (const folder of [bin, `${base}/link/bin`]) {
        process.env["PATH"] = `${folder}:/usr/bin:/bin`;
        const sandbox = bubblewrap();
        for (const root of [`${base}/root`, bin, `${base}/link`]) {
          expect(await sandbox.status(policyOf(root))).toEqual({ ready: true });
          expect(await runIn(sandbox, "true", policyOf(root), root)).toMatchObject({ code: 0 });
        }
        const granted = { ...policyOf(`${base}/other`), grantedRoots: [`${base}/root`] };
        expect(await sandbox.status(granted)).toEqual({ ready: true });
        expect(existsSync(started)).toBe(false);
        // For another policy, it is like every other program of PATH.
        expect(await sandbox.status(policyOf(`${base}/other`))).toEqual({ ready: true });
        expect(existsSync(started)).toBe(true);
        rmSync(started);
      }
    } finally {
      process.env["PATH"] = before;
      rmSync(base, { recursive: true });
    }
  },
  LINUX,
);

verifies(
  "security.s86",
  "a granted folder that becomes a link after the policy was made, and before its first use, is not granted",
  async () => {
    using folders = world(USER, PROGRAM);
    const { root, out } = folders;
    const granted = `${root}/granted`;
    mkdirSync(granted);
    const grants = { writable: [granted] };
    const policy = resolvePolicy(WRITE, { cwd: root, grants });
    const wider = resolvePolicy({ ...WRITE, writableRoots: [out] }, { cwd: root, grants });
    if (!policy || !wider) throw new Error("the policy asks for no sandbox");
    rmSync(granted, { recursive: true });
    symlinkSync(out, granted);
    const script = `echo x >${out}/escaped; echo x >${root}/inside`;
    await runIn(bubblewrap({ path: PROGRAM }), script, policy, root);
    expect(readdirSync(out).length).toBe(1);
    expect(existsSync(`${root}/inside`)).toBe(true);
    await runIn(bubblewrap({ path: PROGRAM }), script, wider, root);
    expect(readdirSync(out).length).toBe(2);
  },
  LINUX,
);
