import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Gateway } from "@codexwright/gateway";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { stdio } from "codexwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { bundlePage, COMMAND } from "../../examples/recipes/web-page/bundle.ts";
import { servePage as serveRecipe } from "../../examples/recipes/web-page/server.ts";
import { emptyHome } from "../live/recipes/offline.ts";
import { openBrowser, servePage, textOf } from "./pages.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

verifies(
  ["docs.recipes", "browser.turn", "browser.origin"],
  "web-page: the page shows a command and text, and answers an approval; a guessed token and other pages are refused",
  async () => {
    const program = spawn(process.execPath, [path.join(ROOT, "build/examples/recipes/web-page.js")]);
    const ended = once(program, "close");
    let stderr = "";
    program.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    await using opened = await openBrowser();
    const { browser } = opened;
    try {
      const [line] = await Promise.race([
        once(program.stdout.setEncoding("utf8"), "data") as Promise<[string]>,
        ended.then(() => Promise.reject(new Error(`The program ended: ${stderr}`))),
      ]);
      const address = line.replace("Open ", "").trim();
      const page = await browser.newPage();
      await page.goto(address);
      await page.fill("input", "Make notes.");
      await page.click("form button");
      expect(await page.textContent(".approval")).toBe("Allow touch notes.txt && ls? acceptdecline");

      const guessed = address.replace(/token=.*/, "token=guessed");
      expect(await textOf(browser, guessed, ".error")).toContain("connection_closed");
      await using stranger = await servePage();
      const foreign = `${stranger.origin}/${new URL(address).hash}`;
      expect(await textOf(browser, foreign, "#answer")).toContain("connection_closed");

      await page.click("text=accept");
      await page.waitForSelector("text=I made notes.txt.");
      expect(await linesOf(page)).toBe(shown());
    } finally {
      // The program ends when its page is closed.
      await browser.close();
      const [code] = (await ended) as [number | null];
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "web-page: the page reports that Codex is not logged in",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "web-page-"));
    using home = emptyHome();
    await using opened = await openBrowser();
    const { browser } = opened;
    try {
      await bundlePage(path.join(ROOT, "examples/recipes/web-page"), folder);
      await using gateway = await Gateway.open({ transport: stdio({ cwd: home.dir, env: home.env }) });
      await using page = await serveRecipe(gateway, folder, 0);
      expect(await textOf(browser, page.address, ".error")).toBe(
        "Codex is not logged in: run `codex login`.",
      );
      const { origin } = new URL(page.address);
      const { status } = await fetch(`${origin}/server.ts`);
      expect(status).toBe(404);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  },
  PINNED,
);

/** The lines in the browser, in the form of the text block of the recipe. */
async function linesOf(page: Page): Promise<string> {
  const lines = await page.$$eval("main p", (all: { className: string; textContent: string }[]) =>
    all.map(({ className, textContent }) => `${className}: ${textContent}\n`),
  );
  return lines.join("").replace(/\S+ -lc/, "/bin/bash -lc");
}

function shown(): string | undefined {
  const page = readFileSync(path.join(ROOT, "docs/recipes/web-page.md"), "utf8");
  expect(page).toContain(`${COMMAND} dist/page.js`);
  expect(page).toContain(readFileSync(path.join(ROOT, "examples/recipes/web-page/index.html"), "utf8"));
  return /^```text\n(.*?)^```$/ms.exec(page)?.[1];
}
