import path from "node:path";
import { verifies } from "@codexwright/test-support/verifies";
import { exec, fakeAppServer, reply } from "@codexwright/testing";
import { chromium } from "playwright-core";
import { expect } from "vitest";
import { servePage } from "../../examples/recipes/web-page/server.ts";
import { CHROMIUM } from "./pages.ts";

const SCRIPT = path.resolve(import.meta.dirname, "../../examples/recipes/web-page/page.js");

verifies("docs.recipes", "web-page: the page streams a turn and asks its user for an approval", async () => {
  await using fake = fakeAppServer({
    model: [exec("touch a.txt", { justification: "as you asked" }), reply("<b>Done</b>.", { deltas: 3 })],
  });
  await using served = await servePage(fake.transport, SCRIPT);
  const browser = await chromium.launch(CHROMIUM);
  try {
    const page = await browser.newPage();
    const questions: string[] = [];
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await page.goto(served.url);
    await page.getByText("connected").waitFor();
    await page.fill("input", "Touch it.");
    await page.click("button");
    await page.getByText("<b>Done</b>.").waitFor();
    expect(await page.textContent("pre")).toMatch(
      /^connected\n> Touch it\.\n\$ .*touch a\.txt.* \(completed\)\n<b>Done<\/b>\./,
    );
    expect(questions).toEqual([expect.stringMatching(/^Allow this command\? .*touch a\.txt/)]);
    expect({ problems, unexpected: fake.unexpected }).toEqual({ problems: [], unexpected: [] });
  } finally {
    await browser.close();
  }
});
