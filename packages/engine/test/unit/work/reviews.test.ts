import fc from "fast-check";
import { expect } from "vitest";
import { EngineServer, type ModelEvent, type ModelRequest, type ToolHandler } from "@codexwright/engine";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, echoShell, message, modelOf, optionsOf } from "../ports.ts";

const TARGET = { type: "custom", instructions: "Look at it." } as const;

function answer(text: string): readonly ModelEvent[] {
  return [...message("m", text), completed];
}

const place = (file: string, start = 3, end = 4): object => ({
  absolute_file_path: file,
  line_range: { start, end },
});
const OUTPUT = {
  findings: [
    {
      title: "[P1] Guard it",
      body: "It may be null.",
      priority: 1,
      confidence_score: 0.75,
      code_location: place("/w/a.ts"),
    },
  ],
  overall_correctness: "patch is incorrect",
  overall_explanation: "One problem.",
  overall_confidence_score: 0.5,
};
const FOUND = {
  title: "Guard it",
  body: "It may be null.",
  priority: 1,
  confidence: 0.75,
  file: "/w/a.ts",
  lines: { start: 3, end: 4 },
};
const OVERALL = { correctness: "patch is incorrect", explanation: "One problem.", confidence: 0.5 };

/** Runs a review whose reviewer answers with this text. */
async function reviewOf(text: string) {
  await using server = new EngineServer(optionsOf(modelOf(answer(text))));
  await using codex = await connect(server);
  const { id: threadId } = await codex.startThread();
  return await codex.runReview({ threadId, target: TARGET });
}

verifies("engine.reviews.findings", "runReview() returns what the reviewer wrote as data", async () => {
  const json = JSON.stringify(OUTPUT);
  for (const text of [json, `Here:\n\`\`\`json\n${json}\n\`\`\`\n`, `${json} {`]) {
    const review = await reviewOf(text);
    expect(review.findings).toEqual([FOUND]);
    expect(review.overall).toEqual(OVERALL);
    expect(review.reviewText).toBe(
      "One problem.\n\nReview comment:\n\n- [P1] Guard it — /w/a.ts:3-4\n  It may be null.",
    );
    expect(review.agentMessage).toBe(review.reviewText);
  }
});

verifies("engine.reviews.findings", "shows any other answer as it is, without findings", async () => {
  const [finding] = OUTPUT.findings;
  const others = [
    "It is good.",
    "{",
    "}{",
    "null",
    '{"findings": 7}',
    '{"findings": [null]}',
    JSON.stringify({ ...OUTPUT, findings: [{ ...finding, body: 7 }] }),
    JSON.stringify({ ...OUTPUT, findings: Array.from({ length: 1_001 }, () => finding) }),
    `{"findings": ${"[".repeat(100_000)}`,
  ];
  for (const text of others) {
    const { reviewText, overall } = await reviewOf(text);
    expect(reviewText).toBe(text);
    expect(overall).toBeNull();
  }
});

verifies("engine.reviews.findings", "needs neither priorities nor confidences", async () => {
  const { findings, overall } = await reviewOf(
    JSON.stringify({ findings: [{ title: "x", body: "", code_location: place("/a") }] }),
  );
  expect(findings).toMatchObject([{ title: "x", body: "", priority: null, confidence: null }]);
  expect(overall).toEqual({ correctness: null, explanation: "", confidence: null });
});

const odd = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    "/a.ts:1-2\n- [P0] Remove it — /etc/passwd:1-1",
    "x — /y:1-2",
    "Full review comments:",
    "\r- y — /z:1-1",
    "\u2028- y — /z:1-1",
    "../../etc/passwd",
    "\u001B]0;x\u0007",
    "",
  ),
);

verifies(
  "security.s128",
  "no title, path or body looks like another finding, or like the end of the review",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ title: odd, body: odd, file: odd }), { minLength: 1, maxLength: 4 }),
        async (written) => {
          const findings = written.map(({ title, body, file }) => ({
            title,
            body,
            code_location: place(file),
          }));
          const review = await reviewOf(JSON.stringify({ findings, overall_explanation: "All." }));
          expect(review.findings.map(({ file }) => file)).toEqual(written.map(({ file }) => file));
          const [explanation, heading, ...lines] = review.reviewText.split(/[\n\r\u2028\u2029]+/);
          expect(explanation).toBe("All.");
          expect(heading).toBe(written.length > 1 ? "Full review comments:" : "Review comment:");
          // Only the titles begin at the start of a line.
          expect(lines.filter((line) => !line.startsWith("  ") && line !== "")).toHaveLength(written.length);
        },
      ),
      { seed: 128, numRuns: 60 },
    );
  },
);

verifies(
  "engine.reviews.own",
  "the reviewer has its own conversation, and the thread learns its answer",
  async () => {
    const own: ToolHandler = {
      name: "own",
      parallel: true,
      spec: () => ({ type: "function", name: "own", parameters: {} }),
      run: () => ({ output: "own" }),
    };
    const model = modelOf(answer("before"), answer(JSON.stringify(OUTPUT)), answer("after"));
    await using server = new EngineServer(optionsOf(model, { tools: [own] }));
    await using codex = await connect(server);
    const thread = await codex.startThread({ developerInstructions: "Be kind." });
    await thread.run("secret of the thread");
    await codex.runReview({ threadId: thread.id, target: TARGET });
    await thread.run("go on");
    const [first, reviewer, last] = model.requests as [ModelRequest, ModelRequest, ModelRequest];
    expect(JSON.stringify(reviewer.input)).not.toContain("secret");
    expect(JSON.stringify(reviewer.input)).toContain("Look at it.");
    expect(reviewer.instructions).toContain("You review changes");
    expect(namesIn(reviewer)).toEqual(["exec_command", "write_stdin"]);
    expect(namesIn(first)).toContain("own");
    expect(reviewer.ids.thread).not.toBe(thread.id);
    expect(reviewer.ids.session).toBe(first.ids.session);
    expect(last.input.slice(0, first.input.length)).toEqual(first.input);
    const text = JSON.stringify(last.input);
    expect(text).toContain("It may be null.");
    expect(text).not.toContain("Look at it.");
    expect(namesIn(last)).toEqual(namesIn(first));
  },
);

function namesIn({ tools }: ModelRequest): unknown[] {
  return tools.map(({ name }) => name).filter((name) => name !== "view_image");
}

verifies("security.s128", "a reviewer reaches no tool that changes something", async () => {
  const called = [
    call("a", "apply_patch", { input: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" }),
    call("b", "request_permissions", { permissions: { network: { enabled: true } } }),
    call("c", "own", {}),
    call("d", "update_plan", { plan: [] }),
    call("e", "request_user_input", { questions: [] }),
    call("f", "shell_command", { command: "touch a" }),
    {
      type: "itemDone",
      item: {
        type: "function_call",
        call_id: "g",
        name: "spawn_agent",
        namespace: "multi_agent_v1",
        arguments: '{"message":"write"}',
      },
    },
  ] satisfies ModelEvent[];
  const hits: string[] = [];
  const own: ToolHandler = {
    name: "own",
    parallel: true,
    spec: () => undefined,
    run: () => ({ output: String(hits.push("own")) }),
  };
  const shell = echoShell();
  const model = modelOf([...called, completed], answer("Fine."));
  await using server = new EngineServer(optionsOf(model, { tools: [own], shell }));
  await using codex = await connect(server);
  const { id: threadId } = await codex.startThread({ sandbox: "danger-full-access" });
  await codex.runReview({ threadId, target: TARGET });
  const outputs = model.requests[1]?.input.filter(({ type }) => type === "function_call_output") ?? [];
  expect(outputs).toHaveLength(called.length);
  for (const { output } of outputs) expect(output).toMatch(/^unsupported call: /);
  expect(hits).toEqual([]);
  expect(shell.commands).toEqual([]);
  expect((await codex.request("thread/loaded/list", {})).data).toEqual([threadId]);
});

verifies("engine.reviews.end", "a reviewer that fails or says nothing ends the review", async () => {
  const cases = [
    { events: [completed], status: "completed" },
    { events: [...message("m", ""), completed], status: "completed" },
    { events: undefined, status: "failed" },
  ] as const;
  for (const { events, status } of cases) {
    const broken = async function* (): AsyncGenerator<ModelEvent> {
      yield* [];
      await Promise.reject(new Error("broken"));
    };
    const model = modelOf(events ?? broken, answer("after"));
    await using server = new EngineServer(optionsOf(model));
    await using codex = await connect(server);
    const thread = await codex.startThread();
    const items: string[] = [];
    const ended: string[] = [];
    codex.onNotification("item/completed", ({ item }) => items.push(item.type));
    codex.onNotification("turn/completed", ({ turn }) => ended.push(turn.status));
    await codex.request("review/start", { threadId: thread.id, target: TARGET });
    await until(() => ended.length === 1);
    expect(ended).toEqual([status]);
    expect(items).toEqual(["enteredReviewMode", "userMessage", "exitedReviewMode", "agentMessage"]);
    await thread.run("go on");
    expect(JSON.stringify(model.requests.at(-1)?.input)).toContain("ended without a result");
  }
});

verifies("engine.reviews.end", "an interrupt and a close end the reviewer and its commands", async () => {
  for (const way of ["interrupt", "close"] as const) {
    let kills = 0;
    const shell = {
      start: () => {
        let end: (code: number) => void = () => {};
        const exited = new Promise<number>((resolve) => (end = resolve));
        const kill = (): void => {
          kills++;
          end(137);
        };
        return Promise.resolve({
          exitCode: undefined,
          exited,
          write: () => Promise.resolve(),
          end() {},
          kill,
        });
      },
    };
    const model = modelOf([call("a", "exec_command", { cmd: "sleep 60" }), completed], answer("next"));
    await using server = new EngineServer(optionsOf(model, { shell }));
    await using codex = await connect(server);
    const thread = await codex.startThread();
    const begun: string[] = [];
    codex.onNotification("turn/started", ({ turn }) => begun.push(turn.id));
    const running = new Promise<void>((resolve) => {
      codex.onNotification("item/started", ({ item }) => {
        if (item.type === "commandExecution") resolve();
      });
    });
    await codex.request("review/start", { threadId: thread.id, target: TARGET });
    await running;
    if (way === "close") await server.close();
    else {
      const ended = new Promise((resolve) => codex.onNotification("turn/completed", resolve));
      await codex.request("turn/interrupt", { threadId: thread.id, turnId: begun[0] ?? "" });
      await ended;
      expect((await thread.run("go on")).agentMessage).toBe("next");
    }
    expect(kills).toBeGreaterThan(0);
  }
});
