import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { Workspace } from "codexwright/workspace";
import {
  changesOf,
  keepChanges,
  NO_TOKENS,
  type IssueRecord,
  type PastRun,
} from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";

function runOf(runId: string, workspacePath: string, before: string | null, after: string | null): PastRun {
  return {
    runId,
    attempt: null,
    host: "local",
    startedAt: "2026-05-01T10:00:00.000Z",
    endedAt: "2026-05-01T10:01:00.000Z",
    outcome: "completed",
    message: null,
    tokens: NO_TOKENS,
    turns: 1,
    threadId: null,
    workspacePath,
    model: null,
    checkpoints: { before, after },
  };
}

describe("the changes of runs", () => {
  verifies("fleet.life.diff", "are those of one run or of all, also when the workspace is gone", async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), "fleet-changes-")));
    const [stateFolder, workspacePath] = [path.join(folder, "state"), path.join(folder, "root/A-1")];
    await Promise.all([mkdir(stateFolder), mkdir(workspacePath, { recursive: true })]);
    const found = { issueId: "1", identifier: "A-1" };
    const changes = async (runs: readonly PastRun[], runId?: string) =>
      await changesOf(found, { claim: null, events: [], runs } satisfies IssueRecord, { stateFolder, runId });

    const checkpoints = path.join(stateFolder, "state/A-1/checkpoints");
    const files = await Workspace.at(workspacePath, { checkpoints });
    const take = async (text: string): Promise<string> => {
      await writeFile(path.join(workspacePath, "file"), `${text}\n`);
      return (await files.checkpoint()).tree;
    };
    const trees = [
      await take("hook"),
      await take("one"),
      await take("another hook"),
      await take("two"),
    ] as const;
    await files.close();
    const first = runOf("r1", workspacePath, trees[0], trees[1]);
    const second = runOf("r2", workspacePath, trees[2], trees[3]);
    const failed = runOf("r3", workspacePath, null, null);
    const earlier = runOf("r0", workspacePath, "0".repeat(64), "1".repeat(64));
    const runs = [failed, second, first, earlier];

    const one = await changes(runs, "r1");
    expect(one.runs).toEqual(["r1"]);
    expect(one.patch).toMatch(/^-hook\n\+one$/m);
    expect((await changes(runs, "r2")).patch).toMatch(/^-another hook\n\+two$/m);
    const all = await changes(runs);
    expect(all).toMatchObject({ ...found, runs: ["r1", "r2"] });
    expect(all.patch).toMatch(/^-hook\n\+two$/m);
    for (const unknown of ["r0", "r3", "r9"])
      await expect(changes(runs, unknown)).rejects.toMatchObject({ code: "run_not_found" });
    await expect(changes([])).rejects.toMatchObject({ code: "run_not_found" });

    await keepChanges({ stateFolder, identifier: "A-1", workspacePath });
    // A removal that was cut off leaves the kept changes as they are.
    const marks = path.join(path.dirname(workspacePath), ".unfinished");
    await mkdir(marks);
    await writeFile(path.join(marks, path.basename(workspacePath)), "");
    await rm(path.join(workspacePath, "file"));
    await keepChanges({ stateFolder, identifier: "A-1", workspacePath });
    await rm(workspacePath, { recursive: true });
    await rm(path.join(stateFolder, "state"), { recursive: true });
    expect(await changes(runs)).toMatchObject({ runs: [], patch: all.patch });
    await expect(changes(runs, "r1")).rejects.toMatchObject({ code: "run_not_found" });
    // Nothing is made for an issue without a workspace.
    await keepChanges({ stateFolder, identifier: "A-2", workspacePath: path.join(folder, "root/A-2") });
    await rm(folder, { recursive: true });
  });
});
