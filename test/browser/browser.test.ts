import { expect } from "vitest";
import { exec, fakeAppServer, reply } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { openBrowser, servePage, textOf } from "./pages.ts";

const TOKEN = "a-token-of-this-test";

verifies(
  ["browser.turn", "browser.origin"],
  "a page in Chromium runs a turn with an approval; pages with another origin or another token are rejected",
  async () => {
    await using page = await servePage();
    await using stranger = await servePage();
    await using fake = fakeAppServer({
      model: [exec("touch x", { justification: "to see it" }), reply("Done in a browser: ä\u2028😀")],
    });
    const listener = await fake.listen("ws://127.0.0.1:0", {
      auth: { capabilityToken: { token: TOKEN } },
      allowedOrigins: [page.origin],
    });
    const hash = (token: string): string =>
      `#${new URLSearchParams({ url: listener.url, token }).toString()}`;
    await using opened = await openBrowser();
    const { browser } = opened;
    const seen = await textOf(browser, `${page.origin}/${hash(TOKEN)}`, "#answer", "#accept");
    expect(seen).toBe("Done in a browser: ä\u2028😀");
    const refused = await textOf(browser, `${page.origin}/${hash("guessed")}`, "#answer");
    expect(refused).toContain("connection_closed");
    expect(refused).not.toContain("guessed");
    expect(await textOf(browser, `${stranger.origin}/${hash(TOKEN)}`, "#answer")).toContain(
      "connection_closed",
    );
  },
  { against: "fake", timeoutMs: 60_000 },
);
