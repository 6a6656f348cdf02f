import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { formProblems } from "../../../scripts/docs/form.ts";
import { mapLinks, targetOf } from "../../../scripts/docs/links.ts";
import { fill, mapProblems, pagesIn, placeOf } from "../../../scripts/docs/pages.ts";
import { SECTIONS } from "../../../scripts/docs/sections.ts";
import { bothSchemes, stage } from "../../../scripts/docs/stage.ts";

/** The path is not written in one piece, because a check would report it as a page that does not exist. */
const D = "docs";
const ROOT = path.resolve(import.meta.dirname, "../../..");

verifies("docs.site", "every page is in the sidebar once, and has the form of its kind", () => {
  const sections = fill(ROOT, SECTIONS);
  expect(mapProblems(ROOT, sections)).toEqual([]);
  expect(
    formProblems(
      ROOT,
      pagesIn(sections).map(({ source }) => source),
    ),
  ).toEqual([]);
});

test("docs is the root of the site", () => {
  expect(
    [`${D}/guide/a.md`, `${D}/spec/README.md`, "README.md", "packages/x/README.md"].map(placeOf),
  ).toEqual(["guide/a.md", "spec/index.md", "readme.md", "packages/x/index.md"]);
});

describe("a repository", () => {
  let root = "";
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), "site-"));
    write(`${D}/index.md`, "# Home\n");
    write(
      `${D}/guide/index.md`,
      "# Guide\n\n[b](b.md), [a](a.md#part), [b](b.md), [else](../other.md), [a](a.md)\n",
    );
    write(
      `${D}/guide/a.md`,
      "# The `a`\n\n[x](../../SECURITY.md#one) [y](../../src/y.ts) [z](../../src/) `[q](q.md)`\n",
    );
    write(`${D}/guide/b.md`, "# B\n\n![p](../p.svg) [d](../d.json) [e](https://example.com) [f](#b)\n");
    write(`${D}/other.md`, "# Other\n");
    write(`${D}/p.svg`, "<svg/>");
    write(`${D}/d.json`, "{}");
    write("SECURITY.md", "# Security\n");
    write("src/y.ts", "y();\n");
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const sections = (...entries: string[]) =>
    fill(root, [
      { title: "Guide", entries: [{ index: `${D}/guide/index.md` }, { index: `${D}/none/index.md` }] },
      { title: "More", entries },
    ]);

  test("lists the pages of an index in the order of its links", () => {
    expect(pagesIn(sections("SECURITY.md"))).toEqual([
      { source: `${D}/guide/index.md`, place: "guide/index.md", title: "Guide" },
      { source: `${D}/guide/b.md`, place: "guide/b.md", title: "B" },
      { source: `${D}/guide/a.md`, place: "guide/a.md", title: "The a" },
      { source: "SECURITY.md", place: "SECURITY.md", title: "Security" },
    ]);
    expect(pagesIn(sections(`${D}/guide/b.md`)).map(({ place }) => place)).toEqual([
      "guide/index.md",
      "guide/a.md",
      "guide/b.md",
    ]);
  });

  test("reports pages that are not in the sidebar or are in it twice", () => {
    expect(mapProblems(root, sections(`${D}/other.md`))).toEqual([]);
    expect(mapProblems(root, sections("SECURITY.md", "SECURITY.md"))).toEqual([
      expect.stringContaining(`${D}/other.md is not in the sidebar`),
      "SECURITY.md is in the sidebar twice",
    ]);
    expect(() => sections(`${D}/gone.md`)).toThrow(`names ${D}/gone.md, which does not exist`);
  });

  test("is staged with links that work in the site", () => {
    const out = path.join(root, "out");
    stage(root, out, pagesIn(sections("SECURITY.md", `${D}/other.md`)));
    const staged = (file: string): string => readFileSync(path.join(out, file), "utf8");
    expect(staged("guide/a.md")).toBe(
      "# The `a`\n\n[x](/SECURITY.md#one) [y](/source/src/y-ts.md) [z](/source/src/index.md) `[q](q.md)`\n",
    );
    expect(staged("guide/b.md")).toBe("# B\n\n![p](/p.svg) [d](/d.json) [e](https://example.com) [f](#b)\n");
    expect(staged("source/src/y-ts.md")).toContain("# src/y.ts\n\n````ts\ny();\n````\n");
    expect(staged("source/src/index.md")).toContain("- [y.ts](/source/src/y-ts.md)\n");
    expect(staged("public/p.svg") + staged("public/d.json")).toBe("<svg/>{}");
  });

  test("rejects links to pages outside the site and to files that do not exist", () => {
    const target = (link: string) => targetOf(root, pagesIn(sections()), `${D}/guide/a.md`, link);
    expect(() => target("../other.md")).toThrow(`${D}/other.md, which is not a page of the site`);
    expect(() => target("gone.md")).toThrow("gone.md, which does not exist");
    expect(() => target("../../../etc")).toThrow("which does not exist");
    expect(target("#part")).toBeUndefined();
  });
});

test("links in code are not links", () => {
  const text = '```md\n[a](b)\n```\n`[a](b)` [`c`](d) <a href="e">f</a>\n';
  expect(mapLinks(text, (link) => link.toUpperCase())).toBe(
    '```md\n[a](b)\n```\n`[a](b)` [`c`](D) <a href="E">f</a>\n',
  );
});

test("a picture with a dark variant becomes two pictures", () => {
  const picture =
    '<picture><source media="(prefers-color-scheme: dark)" srcset="/d.svg"><img alt="A" src="/l.svg"></picture>';
  expect(bothSchemes(picture)).toBe(
    '<img class="only-light" alt="A" src="/l.svg"><img class="only-dark" alt="A" src="/d.svg">',
  );
  expect(bothSchemes('<picture><img src="x"></picture>')).toBe('<picture><img src="x"></picture>');
});
