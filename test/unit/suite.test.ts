import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

test("npm test with an unknown package fails and lists the packages with tests", () => {
  const { status, stdout, stderr } = spawnSync("node", ["build/scripts/test.js", "nobody"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^There is no package "nobody" with tests\. The packages with tests are: .*\bcodexwright\b/,
  );
});
