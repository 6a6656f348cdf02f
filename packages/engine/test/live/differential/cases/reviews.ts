import { exec, fail, reply, toolCall, usage, type Scenario, type ScenarioSetup } from "@codexwright/testing";
import type { CodexClient, Thread } from "codexwright/client";
import type { ReviewTarget } from "codexwright/protocol";
import { ask, differential, heard, run, steps } from "./case.ts";

const FINDING = {
  title: "[P1] Handle the empty input",
  body: "It throws.\n\nAnd then?",
  confidence_score: 0.9,
  priority: 1,
  code_location: { absolute_file_path: "/parser.ts", line_range: { start: 3, end: 9 } },
};
const OUTPUT = {
  findings: [FINDING, { ...FINDING, title: "No mark", priority: 3 }],
  overall_correctness: "patch is incorrect",
  overall_explanation: "Two problems.",
  overall_confidence_score: 0.8,
};
const CUSTOM: ReviewTarget = { type: "custom", instructions: "Look at it" };

/** Runs a review to its end, however it ends. Codex tells only an error if it cannot begin. */
async function review(codex: CodexClient, thread: Thread, target: ReviewTarget = CUSTOM): Promise<void> {
  const ended = Promise.race([
    heard(codex, "turn/completed", ({ threadId }) => threadId === thread.id),
    heard(
      codex,
      "error",
      ({ threadId, error }) => threadId === thread.id && error.message.includes("not a git"),
    ),
  ]);
  const answer = await ask(codex, "review/start", { threadId: thread.id, target });
  if (answer["turn"] !== undefined) await ended;
}

/** One turn, a review, and another turn. */
function between(setup: ScenarioSetup): ReturnType<typeof steps> {
  return steps(setup, async (codex) => {
    const thread = await codex.startThread();
    await run(thread, "one");
    await review(codex, thread);
    await run(thread, "two");
  });
}

function git(codex: CodexClient, script: string): Promise<unknown> {
  return ask(codex, "command/exec", {
    command: ["sh", "-c", script],
    sandboxPolicy: { type: "dangerFullAccess" },
  });
}

/** Reviews, and what the thread knows of them afterwards. */
export const REVIEWS: readonly Scenario[] = [
  differential(
    "review.findings",
    "a review with a command and two findings, between two turns",
    between({
      model: [
        reply("before"),
        exec("sleep 0.4; echo seen"),
        reply(JSON.stringify(OUTPUT), { usage: { inputTokens: 700, outputTokens: 70 } }),
        reply("after"),
      ],
    }),
  ),
  differential(
    "review.prose",
    "a reviewer that puts its JSON into prose",
    between({
      model: [
        reply("before"),
        reply(`Here it is:\n\`\`\`json\n${JSON.stringify({ ...OUTPUT, findings: [] })}\n\`\`\`\n`),
        reply("after"),
      ],
    }),
  ),
  differential("review.broken", "reviewers whose JSON is not as it should be", () =>
    steps(
      {
        model: [
          `${JSON.stringify(OUTPUT)} {`,
          JSON.stringify({ ...OUTPUT, findings: [{ ...FINDING, priority: "high" }] }),
          JSON.stringify({ findings: [{ ...FINDING, code_location: undefined }] }),
          JSON.stringify({ overall_explanation: "Nothing else." }),
          JSON.stringify({ ...OUTPUT, findings: [{ ...FINDING, priority: 9, confidence_score: 7 }] }),
          JSON.stringify({ ...OUTPUT, findings: [{ ...FINDING, title: "  ", body: "" }], more: 1 }),
          JSON.stringify({ ...OUTPUT, overall_explanation: "" }),
          JSON.stringify({ ...OUTPUT, findings: [], overall_explanation: "" }),
        ].map((text) => reply(text)),
      },
      async (codex) => {
        const thread = await codex.startThread();
        for (let n = 0; n < 8; n++) await review(codex, thread);
      },
    ),
  ),
  differential(
    "review.silent",
    "a reviewer that answers nothing",
    between({ model: [reply("before"), usage({ inputTokens: 5 }), reply("after")] }),
  ),
  differential(
    "review.refused",
    "a provider that refuses the reviewer",
    between({ model: [reply("before"), fail(400, { message: "no" }), reply("after")] }),
  ),
  differential("review.targets", "the targets of a review in a repository, and one that is missing", () =>
    steps({ model: Array.from({ length: 6 }, () => reply("Fine.")) }, async (codex) => {
      const thread = await codex.startThread();
      await git(
        codex,
        "git init -q -b main && git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git checkout -q -b work",
      );
      await review(codex, thread, { type: "uncommittedChanges" });
      await review(codex, thread, { type: "baseBranch", branch: "main" });
      await review(codex, thread, { type: "baseBranch", branch: "nowhere" });
      await review(codex, thread, { type: "commit", sha: "0123456789abcdef", title: "Read numbers" });
      await review(codex, thread, { type: "commit", sha: "0123456789abcdef" });
      await review(codex, thread, { type: "custom", instructions: "  spaces  " });
      await review(codex, thread, { type: "custom", instructions: " " });
      await review(codex, thread, { type: "baseBranch", branch: " " });
      await review(codex, thread, { type: "commit", sha: "" });
    }),
  ),
  differential("review.no-repository", "a review against a branch outside of a repository", () =>
    steps({ model: [reply("There is none.")] }, async (codex) => {
      await review(codex, await codex.startThread(), { type: "baseBranch", branch: "main" });
    }),
  ),
  differential("review.writes", "a reviewer that writes to the folder", () =>
    steps(
      {
        model: [
          exec("sleep 0.4; touch written"),
          exec("touch out", { justification: "may I?" }),
          reply("Fine."),
        ],
        approvalPolicy: "on-request",
      },
      async (codex) => await review(codex, await codex.startThread()),
      { onApproval: () => "accept" },
    ),
  ),
  differential("review.agents-md", "a review in a project with AGENTS.md", () =>
    steps({ model: [reply("Fine."), reply("next")] }, async (codex, world) => {
      await codex.fs.writeFile(`${world.workspace}/AGENTS.md`, "Speak plainly.");
      const thread = await codex.startThread();
      await review(codex, thread);
      await run(thread, "two");
    }),
  ),
  differential("review.other-tools", "a reviewer that calls tools that it does not have", () =>
    steps(
      {
        model: [
          [
            toolCall("spawn_agent", { message: "task" }, { namespace: "multi_agent_v1" }),
            toolCall("update_plan", { plan: [{ step: "a", status: "pending" }] }),
            toolCall("none", {}),
          ],
          reply("Fine."),
        ],
      },
      async (codex) => await review(codex, await codex.startThread()),
    ),
  ),
  differential("review.stopped", "an interrupt while the reviewer's command runs", () =>
    steps({ model: [exec("sleep 60"), reply("next")] }, async (codex) => {
      const thread = await codex.startThread();
      const started = heard(codex, "item/started", ({ item }) => item.type === "commandExecution");
      const begun = heard(codex, "turn/started");
      const ended = heard(codex, "turn/completed");
      await ask(codex, "review/start", { threadId: thread.id, target: CUSTOM });
      await started;
      await ask(codex, "turn/interrupt", { threadId: thread.id, turnId: (await begun).turn.id });
      await ended;
      await ask(codex, "thread/backgroundTerminals/list", { threadId: thread.id });
      await run(thread, "two");
    }),
  ),
  differential("review.history", "a thread with a review, read and resumed", () => ({
    model: [reply("before"), exec("sleep 0.4; echo seen"), reply(JSON.stringify(OUTPUT)), reply("after")],
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread();
      await run(thread, "one");
      await review(codex, thread);
      await ask(codex, "thread/read", { threadId: thread.id, includeTurns: true });
      await ask(codex, "thread/unsubscribe", { threadId: thread.id });
      await codex.disconnect();
      const later = await world.connect();
      await ask(later, "thread/list", {});
      const resumed = await later.resumeThread(thread.id);
      await ask(later, "thread/read", { threadId: thread.id, includeTurns: true });
      await run(resumed, "two");
    },
  })),
];
