import { hang, realAppServer, scriptedModel } from "@codexwright/testing";
import { PINNED } from "@codexwright/test-support/world";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { githubBot } from "../../../examples/recipes/github-bot/bot.ts";
import { NewestRuns } from "../../../examples/recipes/github-bot/newest-runs.ts";
import { githubStandIn, review } from "../../../examples/recipes/github-bot/stand-in.ts";
import { until } from "@codexwright/test-support/events";
import { emptyHome, expectAsShown } from "./offline.ts";

const CHANGED = "export const first = (text) => text[0];\n";

verifies(
  "docs.recipes",
  "github-bot: reviews a pull request once, and posts comments on lines",
  async () => {
    await expectAsShown("github-bot");
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "github-bot: a newer head interrupts the review of the older one, and only the newest is posted",
  async () => {
    await using github = await githubStandIn();
    await using model = await scriptedModel((request) => (request.index === 0 ? hang() : review(request)));
    await using codex = await realAppServer({ model });
    await using runs = new NewestRuns();
    const lines: string[] = [];
    const log = (line: string): number => lines.push(line);
    const handle = githubBot({ ...github.options, env: codex.clientOptions.env, log }, runs);
    github.push(CHANGED);
    await handle(github.delivery("d-1"));
    await until(() => model.requests.length === 1);
    const newest = github.push(`// Changed.\n${CHANGED}`);
    await handle(github.delivery("d-2"));
    await runs.idle();
    expect(github.reviews.map(({ commit_id }) => commit_id)).toEqual([newest]);
    expect(lines).toEqual([
      "acme/shop#7: superseded by a newer run",
      `acme/shop#7: reviewed ${newest.slice(0, 7)}, 1 comment`,
    ]);
    const again = await handle(github.delivery("d-1"));
    expect(await again.text()).toBe("already delivered");
    expect(lines.join("\n")).not.toContain("the-token");
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "github-bot: says in the pull request that Codex is not logged in",
  async () => {
    await using github = await githubStandIn();
    using home = emptyHome();
    await using runs = new NewestRuns();
    const handle = githubBot({ ...github.options, env: home.env, log: () => {} }, runs);
    github.push(CHANGED);
    await handle(github.delivery("d-1"));
    await runs.idle();
    expect(github.reviews.map(({ body }) => body)).toEqual([
      "Not reviewed: Codex is not logged in on the machine of this bot.",
    ]);
  },
  PINNED,
);

verifies(
  "docs.recipes",
  "github-bot: a delivery that failed can be sent again, and an invalid one is refused",
  async () => {
    await using github = await githubStandIn();
    await using runs = new NewestRuns();
    const lines: string[] = [];
    const log = (line: string): number => lines.push(line);
    // There is no pull request 7 yet, so git fails.
    const handle = githubBot({ ...github.options, env: {}, log }, runs);
    for (const expected of ["review started", "review started"]) {
      const response = await handle(github.delivery("d-1"));
      expect(await response.text()).toBe(expected);
      await runs.idle();
    }
    expect(lines).toEqual(["acme/shop#7: 128", "acme/shop#7: 128"]);
    const forged = await handle(github.delivery("d-2", "guessed"));
    expect(forged.status).toBe(401);
    const { headers } = github.delivery("d-2");
    headers.delete("x-hub-signature-256");
    const unsigned = await handle(new Request("http://bot/", { method: "POST", headers, body: "{}" }));
    expect(unsigned.status).toBe(401);
  },
);
