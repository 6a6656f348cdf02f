import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { exec, reply, type ModelItem } from "@codexwright/testing";
import { turnOf, type Told } from "../foreign/ai-sdk.ts";
import { acpTurn, type AcpTold } from "../foreign/codex-acp.ts";
import { sameOn } from "../foreign/same.ts";
import { engineProgram, fakeProgram, realProgram, type Program } from "../foreign/servers.ts";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";

const ALL = [realProgram, fakeProgram, engineProgram];
const PINNED: VerifiesOptions = { against: "pinned", timeoutMs: 120_000 };
const TOUCH = exec("touch made.txt", { justification: "needs a file" });
const DONE = reply("all done", { deltas: 3 });
const VERDICT = reply(JSON.stringify({ outcome: "allow", rationale: "harmless" }));

/** Runs a client on the real server, on the fake's program and on the engine's command. All results must be the same. */
async function onAll<T>(script: readonly ModelItem[], run: (program: Program) => Promise<T>): Promise<T> {
  return await sameOn(ALL, [...script], async (program, open) => {
    const told = await run(program);
    // The fake runs no commands. The other servers run this one when it is approved, and not before.
    const made = existsSync(path.join(program.cwd, "made.txt"));
    expect(made).toBe(open !== fakeProgram && script.includes(DONE));
    return told;
  });
}

verifies(
  ["testing.fake.foreign", "engine.ways.foreign"],
  "codex-acp: the editor is asked to approve a command, allows it, and the turn completes",
  async () => {
    const told = await onAll([TOUCH, DONE], (program) => acpTurn(program, "workspace-write"));
    expect(told).toEqual({
      asked: [{ title: "touch made.txt", options: ["allow_once", "accept_execpolicy_amendment", "cancel"] }],
      tools: { "touch made.txt": "completed" },
      text: "all done",
      stopReason: "end_turn",
    } satisfies AcpTold);
  },
  PINNED,
);

verifies(
  ["testing.fake.foreign", "engine.ways.foreign"],
  "codex-acp in automatic review mode: the model approves the command, and the editor is not asked",
  async () => {
    const told = await onAll([TOUCH, VERDICT, DONE], (program) => acpTurn(program, "agent"));
    expect(told).toEqual({
      asked: [],
      tools: { "touch made.txt": "completed", "Guardian Review": "completed" },
      text: "all done",
      stopReason: "end_turn",
    } satisfies AcpTold);
  },
  PINNED,
);

verifies(
  ["testing.fake.foreign", "engine.ways.foreign"],
  "ai-sdk-provider-codex-cli: a handler accepts a command, and the turn completes",
  async () => {
    const asked: unknown[] = [];
    const settings = {
      approvalPolicy: "on-request",
      sandboxPolicy: "workspace-write",
      serverRequests: {
        onCommandExecutionApproval: async ({ params }: { params: { itemId: string } }) => {
          asked.push(params.itemId);
          return { decision: "accept" };
        },
      },
    };
    const told = await onAll([TOUCH, DONE], (program) =>
      turnOf("ai-sdk-provider-codex-cli", program, settings),
    );
    expect(asked).toEqual(["call_0_0", "call_0_0", "call_0_0"]);
    expect(told).toMatchObject({ tools: ["exec"], text: "all done", finish: { unified: "stop" } });
    expect(told.parts).toContain("tool-approval-request");
  },
  PINNED,
);

verifies(
  ["testing.fake.foreign", "engine.ways.foreign"],
  "ai-sdk-provider-codex-app-server: the model approves a command, because the package does not answer approvals",
  async () => {
    const name = "ai-sdk-provider-codex-app-server";
    const settings = { approvalMode: "on-request", sandboxMode: "workspace-write" };
    const reviewed = { ...settings, configOverrides: { approvals_reviewer: "auto_review" } };
    const told = await onAll([TOUCH, VERDICT, DONE], (program) => turnOf(name, program, reviewed));
    expect(told).toMatchObject({ tools: ["exec"], text: "all done" } satisfies Partial<Told>);
    expect(told.parts.at(-1)).toBe("finish");
    // The package (1.1.3 and 1.1.7, the newest) drops every message with an id that is not an answer to it, and sends
    // no answers. So no setting of a program can answer an approval. With a user as reviewer, the turn does not continue.
    const stuck = await onAll([TOUCH], (program) => turnOf(name, program, settings, { until: "tool-call" }));
    expect(stuck).toMatchObject({ tools: ["exec"], text: "" });
  },
  PINNED,
);
