import { expect } from "vitest";
import { trackerChecks } from "@codexwright/orchestrator/tracker";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

verifies("fleet.tracker.example", "the adapter of the guide passes every check", async () => {
  const { stdout } = await play("write-a-tracker");
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toEqual(trackerChecks.map(({ name }) => `passed: ${name}`));
  expect(lines).toEqual(shown("write-a-tracker"));
});
