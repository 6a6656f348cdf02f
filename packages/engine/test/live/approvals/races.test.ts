import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { nodeFiles } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";

/** Swaps a folder with a link to another folder, as fast as it can. */
const SWAPPER = `
const fs = require("node:fs");
const [, work] = process.argv;
process.chdir(work);
process.stdout.write("ready");
fs.symlinkSync("../outside", "link");
for (;;) {
  try {
    fs.renameSync("sub", "real");
    fs.renameSync("link", "sub");
    fs.renameSync("sub", "link");
    fs.renameSync("real", "sub");
  } catch {
    try {
      // A writer created the missing folder. The swapper removes it and goes on.
      if (!fs.existsSync("real")) continue;
      if (!fs.lstatSync("link", { throwIfNoEntry: false })) fs.renameSync("sub", "link");
      fs.rmSync("sub", { recursive: true, force: true });
      fs.renameSync("real", "sub");
    } catch {}
  }
}
`;

verifies(
  "security.s81",
  "a folder that is swapped with a link during a write does not redirect it",
  async () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), "races-")));
    const [work, outside] = [path.join(root, "work"), path.join(root, "outside")];
    mkdirSync(path.join(work, "sub/deep"), { recursive: true });
    mkdirSync(path.join(outside, "deep"), { recursive: true });
    const swapper = spawn(process.execPath, ["-e", SWAPPER, work], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(swapper.stdout, "data");
      const files = nodeFiles();
      const escaped = (): number =>
        readdirSync(path.join(outside, "deep")).length + readdirSync(outside).length - 1;
      // The attack works against a plain write.
      for (let n = 0; n < 200_000 && escaped() === 0; n++) {
        try {
          writeFileSync(path.join(work, "sub/deep", `plain${n % 10}`), "x");
        } catch {
          // The folder is being swapped.
        }
      }
      expect(escaped()).toBeGreaterThan(0);
      for (const name of readdirSync(path.join(outside, "deep"))) rmSync(path.join(outside, "deep", name));
      const secret = path.join(outside, "deep", "x");
      let written = 0;
      let refused = 0;
      for (let n = 0; n < 3_000; n++) {
        const file = path.join(work, "sub/deep/x");
        try {
          const found = await files.readRegular(file, 1000);
          if (found && n % 3 === 0) await files.removeRegular(file, found.version);
          else await files.replaceRegular(file, new TextEncoder().encode(`new ${n}`), found?.version);
          written++;
        } catch {
          refused++;
        }
      }
      expect(written).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
      expect(existsSync(secret)).toBe(false);
      expect(escaped()).toBe(0);
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
      rmSync(root, { recursive: true, force: true });
    }
  },
);
