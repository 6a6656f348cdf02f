import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { bubblewrap } from "@codexwright/engine/node";
import { resolvePolicy } from "@codexwright/engine/internal";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { runIn, WRITE } from "./commands.ts";
import { PROGRAMS, world } from "./world.ts";

const run = promisify(execFile);
const USER = process.getuid?.() === 0 ? "root" : "self";
const [PROGRAM = "/usr/bin/bwrap"] = PROGRAMS;
const PACKAGES = path.resolve(import.meta.dirname, "../../../..");

/** Starts a server that prints what belongs to it. */
async function codeOf(program: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program], { cwd: path.dirname(program) });
  return JSON.parse(stdout) as string[];
}

function contentOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

const SERVER =
  'import { nodePlatform } from "@codexwright/engine/node"; console.log(JSON.stringify(nodePlatform().ownCode()));';

verifies(
  "security.s73",
  "a command cannot change what the server loads at its next start, wherever its packages are",
  async () => {
    using folders = world(USER, PROGRAM);
    const { root } = folders;
    // A program with packages that are linked to another folder, such as those of a workspace.
    const modules = `${root}/app/node_modules`;
    mkdirSync(`${modules}/@codexwright`, { recursive: true });
    mkdirSync(`${modules}/other`);
    mkdirSync(`${root}/linked/orchestrator`, { recursive: true });
    mkdirSync(`${root}/linked/codexwright`);
    writeFileSync(`${root}/linked/orchestrator/index.js`, "");
    writeFileSync(`${root}/linked/codexwright/index.js`, "");
    symlinkSync(`${PACKAGES}/engine`, `${modules}/@codexwright/engine`);
    symlinkSync("../../../linked/orchestrator", `${modules}/@codexwright/orchestrator`);
    symlinkSync("../../linked/codexwright", `${modules}/codexwright`);
    mkdirSync(`${root}/app/bin`);
    writeFileSync(`${root}/app/package.json`, '{"type":"module"}');
    writeFileSync(`${root}/app/bin/server.js`, SERVER);
    const own = await codeOf(`${root}/app/bin/server.js`);
    const targets = [
      "app/bin/server.js",
      "app/bin/node_modules/evil.js",
      "app/node_modules/evil.js",
      "app/node_modules/other/index.js",
      "app/node_modules/@codexwright/evil.js",
      "linked/orchestrator/index.js",
      "linked/codexwright/index.js",
      "node_modules/evil.js",
    ];
    const script = targets
      .map((target) => `mkdir -p $(dirname ${root}/${target}); echo x >>${root}/${target}`)
      .concat(
        `rm ${modules}/@codexwright/engine; mv ${root}/app/node_modules ${root}/moved`,
        `touch ${root}/fine`,
      )
      .join("\n");
    const sandbox = bubblewrap({ path: PROGRAM });
    const attack = async (ownCode: readonly string[]): Promise<string[]> => {
      const policy = resolvePolicy(WRITE, { cwd: root, ownCode });
      if (!policy) throw new Error("the policy asks for no sandbox");
      await runIn(sandbox, script, policy, root);
      expect(existsSync(`${root}/fine`)).toBe(true);
      const written = targets.filter((target) => contentOf(`${root}/${target}`).endsWith("x\n"));
      return existsSync(`${modules}/@codexwright/engine`) ? written : [...written, "link"];
    };
    expect(await attack(own)).toEqual([]);
    expect(own).toContain(realpathSync(`${PACKAGES}/engine`));
    expect((await attack([])).length).toBeGreaterThan(5);
  },
  { skip: unlessLinux },
);
