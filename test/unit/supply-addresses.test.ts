import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import {
  addressesOf,
  addressProblems,
  placeholdersIn,
  withAddresses,
} from "../../scripts/supply/addresses.ts";
import type { Manifest } from "../../scripts/supply/manifests.ts";

const PLACE = "packages/x";
const filled = (repository: string): Manifest =>
  withAddresses({ name: "x", license: "MIT" }, addressesOf(repository, PLACE, "https://example.org/docs"));

verifies(
  "supply.check",
  "finds addresses that are missing, do not use https or belong to another folder",
  () => {
    const good = filled("https://example.org/owner/x");
    expect(good).toMatchObject({
      homepage: "https://example.org/docs",
      repository: { type: "git", url: "git+https://example.org/owner/x.git", directory: PLACE },
      bugs: { url: "https://example.org/owner/x/issues" },
    });
    expect(addressProblems(good, PLACE)).toEqual([]);
    expect(addressProblems({ name: "x" }, PLACE)).toHaveLength(4);
    expect(addressProblems(good, "packages/y")).toEqual([
      "x: repository.directory must be packages/y, not packages/x",
    ]);
    expect(addressProblems({ ...good, homepage: "http://example.org" }, PLACE)).toEqual([
      "x: homepage must be an https address, not http://example.org",
    ]);
  },
);

verifies("supply.check", "placeholders that a release must fill in are named", () => {
  expect(placeholdersIn(filled("https://example.org/owner/x"))).toEqual([]);
  expect(placeholdersIn(filled("https://repository.invalid/x"))).toEqual([
    "x: repository.url is the placeholder git+https://repository.invalid/x.git",
    "x: bugs.url is the placeholder https://repository.invalid/x/issues",
  ]);
});
