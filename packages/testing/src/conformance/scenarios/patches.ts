import { applyPatch, reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, ofType, scenario, since } from "../steps.ts";
import { asking } from "./asking.ts";

const PATCH = applyPatch("*** Add File: x.txt\n+hello");
const DONE = reply("done");

export const PATCHES: readonly Scenario[] = [
  scenario(
    "patch.apply",
    "applies a patch inside the sandbox; its item has the changes, and the turn's diff shows them",
    {
      model: [PATCH, DONE],
      run: async (world) => {
        const codex = await world.connect();
        const diffs = collect(codex, "turn/diff/updated");
        const { items, diff } = await (await codex.startThread()).run("go");
        expectMatch(
          ofType(items, "fileChange"),
          [
            {
              id: "call_0_0",
              status: "completed",
              changes: [{ path: `${world.workspace}/x.txt`, kind: { type: "add" }, diff: "hello\n" }],
            },
          ],
          "the item",
        );
        expectThat(diffs.length > 0, "the diff is reported");
        expectMatch(diff, /\+\+\+ b\/.*x\.txt\n@@ .* @@\n\+hello\n/, "the diff");
      },
    },
  ),
  scenario(
    "patch.accept",
    "asks before it applies a patch that exceeds the sandbox; the request has the changes",
    asking([PATCH, DONE], "accept", async ({ world, asked, thread }) => {
      const { items } = await thread.run("go");
      expectMatch(
        asked,
        [
          {
            kind: "fileChange",
            itemId: "call_0_0",
            changes: [{ path: `${world.workspace}/x.txt`, kind: { type: "add" }, diff: "hello\n" }],
          },
        ],
        "the requests",
      );
      expectMatch(ofType(items, "fileChange"), [{ status: "completed" }], "the item");
    }),
  ),
  scenario(
    "patch.decline",
    "does not apply a declined patch, and continues the turn",
    asking([PATCH, DONE], "decline", async ({ world, codex, thread }) => {
      const { items, agentMessage } = await thread.run("go");
      // Codex before 0.104 completes the item twice, and the last completion counts.
      const status = since(world, "0.104.0") ? "declined" : "failed";
      expectMatch(ofType(items, "fileChange"), [{ status }], "the item");
      expectMatch(agentMessage, "done", "the answer");
      if (!since(world, "0.115.0")) return;
      await expectRejection(
        codex.fs.readText(`${world.workspace}/x.txt`),
        { rpcCode: -32603 },
        "reading the file",
      );
    }),
  ),
  scenario(
    "patch.cancel",
    "does not apply a cancelled patch, and interrupts the turn",
    asking([PATCH], "cancel", async ({ thread }) => {
      await expectRejection(thread.run("go"), { code: "turn_interrupted" }, "the turn");
    }),
  ),
  scenario("patch.update", "reports each change of a patch that changes, moves and deletes files", {
    model: [
      applyPatch("*** Add File: a.txt\n+one\n+two\n*** Add File: b.txt\n+bye"),
      applyPatch("*** Update File: a.txt\n@@\n one\n-two\n+three\n*** Delete File: b.txt"),
      DONE,
    ],
    run: async (world) => {
      const codex = await world.connect();
      const { items } = await (await codex.startThread()).run("go");
      const [, second] = ofType(items, "fileChange");
      const changes = second?.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      expectMatch(
        changes,
        [
          { path: /a\.txt$/, kind: { type: "update" }, diff: /-two\n\+three/ },
          { path: /b\.txt$/, kind: { type: "delete" }, diff: "bye\n" },
        ],
        "the changes",
      );
    },
  }),
];
