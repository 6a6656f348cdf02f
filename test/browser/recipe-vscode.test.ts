import { readFileSync } from "node:fs";
import path from "node:path";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { openBrowser } from "./pages.ts";

const SCRIPT = path.resolve(import.meta.dirname, "../../examples/recipes/vscode/webview.js");

verifies(
  "docs.recipes",
  "vscode: the page of the panel sends tasks and decisions, and does not interpret texts as HTML",
  async () => {
    await using opened = await openBrowser();
    const { browser } = opened;
    const page = await browser.newPage();
    const sent: unknown[] = [];
    await page.exposeFunction("sent", (message: unknown) => sent.push(message));
    await page.setContent("<main></main><form><input><button>Send</button></form>");
    await page.addScriptTag({ content: "window.acquireVsCodeApi = () => ({ postMessage: window.sent });" });
    await page.addScriptTag({ content: readFileSync(SCRIPT, "utf8") });
    const show = (message: object): Promise<unknown> =>
      page.evaluate(`window.postMessage(${JSON.stringify(message)}, "*")`);

    await page.fill("input", "Make notes.");
    await page.click("form button");
    await show({ type: "items", items: [{ kind: "codex", text: "<img src=x> done" }] });
    expect(await page.textContent("p.codex")).toBe("<img src=x> done");
    await show({ type: "approval", id: 3, text: "Run touch x" });
    await page.click("#approval-3 >> text=Decline");
    await show({ type: "settled", id: 3, text: "decline" });
    await page.waitForSelector("#approval-3", { state: "detached" });
    expect(sent).toEqual([
      { type: "task", text: "Make notes." },
      { type: "decision", id: 3, accepted: false },
    ]);
  },
);
