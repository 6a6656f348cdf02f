import { expect } from "vitest";
import { exec, reply } from "@codexwright/testing";
import { serveWorld } from "../../packages/cli/test/live/serve-world.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { openBrowser, servePage, textOf } from "./pages.ts";

verifies(
  ["browser.turn", "browser.origin", "cli.serve.auth"],
  "a page of an allowed origin runs a turn with an approval through `serve` on a real Codex; other pages cannot",
  async () => {
    await using page = await servePage();
    await using stranger = await servePage();
    await using world = await serveWorld(
      [exec("touch x", { justification: "to see it" }), reply("Done in a browser.")],
      { flags: ["--allow-origin", page.origin] },
    );
    const hash = (token: string): string => `#${new URLSearchParams({ url: world.url, token }).toString()}`;
    await using opened = await openBrowser();
    const { browser } = opened;
    const address = `${page.origin}/${hash(world.token)}`;
    expect(await textOf(browser, address, "#answer", "#accept")).toBe("Done in a browser.");
    expect(await textOf(browser, `${page.origin}/${hash("guessed")}`, "#answer")).toContain(
      "connection_closed",
    );
    const foreign = `${stranger.origin}/${hash(world.token)}`;
    expect(await textOf(browser, foreign, "#answer")).toContain("connection_closed");
  },
  { against: "pinned", timeoutMs: 60_000 },
);
