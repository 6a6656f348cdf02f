import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { restore } from "../../../src/workspace/checkpoints/snapshot.ts";
import { Store } from "../../../src/workspace/checkpoints/store.ts";
import { filesIn, folder } from "../workspace/folders.ts";

const FILES = { "work/a.txt": "a", "work/.git/config": "[core]", "outside/victim": "victim" };

/** Puts a content into the store, as a command with full access can. */
function put(kept: string, content: string): string {
  const id = createHash("sha256").update(content, "latin1").digest("hex");
  mkdirSync(path.join(kept, "contents"), { recursive: true });
  writeFileSync(path.join(kept, "contents", id), content, "latin1");
  return id;
}

const steps = fc.array(
  fc.constantFrom("..", ".", "", "a", ".git", ".GIT", "config", "outside", "victim", "link"),
  {
    minLength: 1,
    maxLength: 4,
  },
);
const entry = fc.record({
  file: steps.map((names) => names.join("/")),
  mode: fc.constantFrom("100644", "100755", "120000", "040000"),
});

verifies(
  "security.s91",
  "a checkpoint that a command has written into the store changes nothing outside of the workspace and in no .git",
  async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), async (entries) => {
        using all = folder(FILES);
        const kept = all.path("kept");
        await using workspace = await Workspace.at(all.path("work"), { checkpoints: kept });
        const evil = put(kept, "evil");
        const target = put(kept, all.path("outside"));
        const lines = entries.map(
          ({ file, mode }) => `${mode} ${mode === "120000" ? target : evil}\t${file}\0`,
        );
        const tree = put(kept, lines.join(""));
        writeFileSync(path.join(kept, "checkpoints"), `${tree}\n`);
        for (const call of [() => workspace.diff({ tree }), () => workspace.revert({ tree })]) {
          try {
            await call();
          } catch (error) {
            expect(error).toMatchObject({ code: "workspace_security" });
            refused++;
          }
        }
        expect(readFileSync(all.path("outside/victim"), "utf8")).toBe("victim");
        expect(filesIn(all.path("outside"))).toEqual(["victim"]);
        expect(readFileSync(all.path("work/.git/config"), "utf8")).toBe("[core]");
        expect(filesIn(all.dir).filter((file) => !/^(work|kept|outside)\//.test(file))).toEqual([]);
      }),
      {
        numRuns: 150,
        seed: 91,
        examples: [
          [
            [
              { file: "link", mode: "120000" },
              { file: "link/victim", mode: "100644" },
            ],
          ],
        ],
      },
    );
    expect(refused).toBeGreaterThan(100);
  },
  { skip: onWindows },
);

verifies(
  "security.s91",
  "without the check of paths, such a checkpoint would write outside",
  async () => {
    using all = folder(FILES);
    const store = new Store(all.path("kept"), true);
    const id = put(all.path("kept"), "evil");
    await restore(all.path("work"), "../outside/new", { mode: "100644", id }, store);
    expect(existsSync(all.path("outside/new"))).toBe(true);
  },
  { skip: onWindows },
);

verifies(
  "security.s91",
  "changed contents, links in place of the store's files, and broken lists are refused or ignored",
  async () => {
    using all = folder(FILES);
    const [dir, kept] = [all.path("work"), all.path("kept")];
    const open = (): Promise<Workspace> => Workspace.at(dir, { checkpoints: kept });
    let first: { readonly tree: string };
    {
      await using workspace = await open();
      first = await workspace.checkpoint();
    }
    const id = createHash("sha256").update("a").digest("hex");
    writeFileSync(path.join(kept, "contents", id), "b");
    writeFileSync(path.join(dir, "a.txt"), "changed");
    {
      await using workspace = await open();
      expect(await rejection(workspace.revert(first))).toMatchObject({ code: "workspace_security" });
    }
    // A list with other lines, and without a line feed at its end.
    writeFileSync(path.join(kept, "checkpoints"), `../x\n${"0".repeat(63)}\n${first.tree}\nabc`);
    {
      await using workspace = await open();
      expect(await workspace.checkpoints()).toEqual([first]);
      const second = await workspace.checkpoint();
      expect(await workspace.checkpoints()).toEqual([first, second]);
    }
    for (const [name, target] of [
      ["checkpoints", all.path("outside/victim")],
      ["contents", all.path("outside")],
    ] as const) {
      const saved = all.path(`saved-${name}`);
      renameSync(path.join(kept, name), saved);
      symlinkSync(target, path.join(kept, name));
      await using workspace = await open();
      writeFileSync(path.join(dir, "a.txt"), `for ${name}`);
      expect(await rejection(workspace.checkpoint())).toBeInstanceOf(Error);
      rmSync(path.join(kept, name));
      renameSync(saved, path.join(kept, name));
    }
    expect(filesIn(all.path("outside"))).toEqual(["victim"]);
    expect(readFileSync(all.path("outside/victim"), "utf8")).toBe("victim");
  },
  { skip: onWindows },
);
