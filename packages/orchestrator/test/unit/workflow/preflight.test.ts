import { tmpdir } from "node:os";
import { expect } from "vitest";
import { preflight, WorkflowError } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";

const GIB = 1024 ** 3;

verifies("fleet.workflow.preflight", "a full disk or a bad file holds up new runs", async () => {
  const asked: string[] = [];
  const free = (bytes: number) => (folder: string) => {
    asked.push(folder);
    return folder === "/" ? Promise.resolve(bytes) : Promise.reject(new Error("it does not exist"));
  };
  const folders = ["/work/spaces", "/"];
  const good = await preflight({ problem: undefined, folders, freeBytes: free(GIB) });
  expect(good.map(({ rule, ok }) => [rule, ok])).toEqual([
    ["workflow_valid", true],
    ["disk_space", true],
  ]);
  expect(asked).toEqual(["/work/spaces", "/work", "/", "/"]);
  const full = await preflight({ problem: undefined, folders, freeBytes: free(GIB - 1) });
  expect(full[1]).toEqual({
    rule: "disk_space",
    ok: false,
    why: "The disk of /work/spaces has 1023 MiB free; 1024 MiB are needed.",
  });
  const problem = new WorkflowError("workflow_invalid", "line 2, column 1: tracker.kind is required");
  const bad = await preflight({ problem, folders, freeBytes: free(GIB) });
  expect(bad[0]).toEqual({
    rule: "workflow_valid",
    ok: false,
    why: "WORKFLOW.md cannot be used (workflow_invalid): line 2, column 1: tracker.kind is required.",
  });
});

verifies("fleet.workflow.preflight", "the space of a real disk is measured", async () => {
  const verdicts = await preflight({ problem: undefined, folders: [`${tmpdir()}/not/there`] });
  expect(verdicts.map(({ rule }) => rule)).toEqual(["workflow_valid", "disk_space"]);
});
