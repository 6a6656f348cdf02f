import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { findCodex } from "codexwright/stdio";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { worldOf, type World } from "../../unit/approvals/world.ts";
import { patchCases, type PatchCase } from "./generate.ts";

const COUNT = Number(process.env["CODEXWRIGHT_PATCHES"] ?? 200);
const SEED = Number(process.env["CODEXWRIGHT_PATCHES_SEED"] ?? 166);
/** How many patches one server applies. */
const PER_SERVER = 100;

/** The result of a patch. */
interface Outcome {
  readonly applied: boolean;
  /** The list of files, or what is wrong. */
  readonly said: string;
  readonly files: Readonly<Record<string, string>>;
}

verifies(
  "engine.approvals.patch-codex",
  "applies and refuses patches as Codex does",
  async () => {
    const cases = patchCases(SEED, COUNT);
    let applied = 0;
    for (let from = 0; from < cases.length; from += PER_SERVER) {
      await using world = await worldOf();
      for (const [n, each] of cases.slice(from, from + PER_SERVER).entries()) {
        const [ours, theirs] = await Promise.all([
          byEngine(world, `e${n}`, each),
          byCodex(world, `c${n}`, each),
        ]);
        if (hasTwoAnchors(theirs)) continue;
        const told = JSON.stringify({ seed: SEED, n: from + n, ...each }, null, 1);
        if (theirs.applied) applied++;
        else expect([told, ours.files]).toEqual([told, each.files]);
        expect({ told, ...ours, files: theirs.applied ? ours.files : {} }).toEqual({
          told,
          ...theirs,
          files: theirs.applied ? theirs.files : {},
        });
      }
    }
    // The generator makes both kinds.
    expect(applied).toBeGreaterThan(COUNT / 3);
    expect(COUNT - applied).toBeGreaterThan(COUNT / 10);
  },
  { ...PINNED, timeoutMs: 60_000 + COUNT * 1_000 },
);

/** Codex refuses lines with "@@" that follow one another. The engine searches for one after the other. */
function hasTwoAnchors({ said }: Outcome): boolean {
  return said.includes("Unexpected line found in update hunk: '@@");
}

async function byEngine(world: World, name: string, { files, patch }: PatchCase): Promise<Outcome> {
  const folder = path.join(world.work, name);
  await fill(folder, files);
  const thread = await world.start({ cwd: folder, sandbox: "danger-full-access", approvalPolicy: "never" });
  const output = await world.run(thread, "apply_patch", { input: patch });
  const [, list] = /\nSuccess\. Updated the following files:\n([\s\S]*)$/.exec(output) ?? [];
  const said = list ?? output.replace(/^apply_patch (?:verification )?failed: /, "");
  return { applied: list !== undefined, said: plain(said, folder), files: await filesOf(folder) };
}

async function byCodex(world: World, name: string, { files, patch }: PatchCase): Promise<Outcome> {
  const folder = path.join(world.work, name);
  await fill(folder, files);
  const codex = spawn(findCodex().command, ["--codex-run-as-apply-patch", patch], {
    cwd: folder,
    // Codex sets this for its own tool, too.
    env: { ...process.env, CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve, reject) =>
    codex.on("close", resolve).on("error", reject),
  );
  const [out, err, code] = await Promise.all([text(codex.stdout), text(codex.stderr), ended]);
  const said = code === 0 ? out.replace(/^.*\n/, "") : err.replace(/\n$/, "");
  return { applied: code === 0, said: plain(said, folder), files: await filesOf(folder) };
}

/** The same text for the same problem: the program says some of them in other words than the server. */
function plain(said: string, folder: string): string {
  return said
    .replaceAll(folder, "/w")
    .replace(/^Invalid patch hunk on line (\d+): /, "invalid hunk at line $1, ")
    .replace(/^Invalid patch: /, "invalid patch: ")
    .replace(
      /^(Failed to (?:read|write|delete|remove)\b|\/w\S* is a folder|.* No file was changed\.$)[\s\S]*/,
      "a file",
    );
}

async function fill(folder: string, files: PatchCase["files"]): Promise<void> {
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  const read = files.map(
    async (file) => [path.relative(folder, file), await readFile(file, "utf8")] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}
