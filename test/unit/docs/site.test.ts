import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { deadLinks } from "../../../scripts/docs/site-links.ts";

verifies("docs.site", "reports links of the built site whose file or anchor does not exist", () => {
  const site = mkdtempSync(path.join(tmpdir(), "links-"));
  try {
    mkdirSync(path.join(site, "guide"));
    writeFileSync(path.join(site, "data.json"), "{}");
    writeFileSync(path.join(site, "guide/index.html"), '<h1 id="a&amp;b">A</h1>');
    const good = [
      "/guide/",
      "/guide/index.html#a&amp;b",
      "guide/#a%26b",
      "#here",
      "/data.json",
      "https://example.com",
    ];
    const bad = ["/gone.html", "/guide/#gone", "#gone", "guide"];
    const html = [...good, ...bad].map((link) => `<a class="x" href="${link}">x</a>`).join("");
    writeFileSync(path.join(site, "index.html"), `<p id="here">${html}<img alt="" src="/gone.svg"></p>`);
    expect(deadLinks(site)).toEqual([...bad, "/gone.svg"].map((link) => `index.html: ${link}`));
  } finally {
    rmSync(site, { recursive: true });
  }
});
