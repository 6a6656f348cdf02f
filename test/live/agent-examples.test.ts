import { expect } from "vitest";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

const PINNED = { against: "pinned" } as const;

verifies(
  ["docs.examples", "agent.R116"],
  "code reviewer: a section opened, a tool called, an answer mended, findings typed",
  async () => {
    const { stdout, requests } = await play("code-reviewer");
    expect(stdout.trimEnd().split("\n")).toEqual([...shown("prompts"), ...shown("agents")]);
    expect(requests[0]?.lastUserText).toContain("  - src/main.ts");
    expect(requests[0]?.lastUserText).not.toContain(".env");
  },
  PINNED,
);

verifies(
  ["docs.examples", "agent.R116"],
  "ticket triage: a failing tool is rolled back, a policy denies, a stored session goes on with its thread",
  async () => {
    const { stdout } = await play("ticket-triage");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("sessions"));
  },
  PINNED,
);

verifies(
  ["docs.examples", "agent.R116", "agent.bundle"],
  "documentation writer: sent on until the page is there, diffed, taken back, bundled",
  async () => {
    const { stdout } = await play("docs-writer");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("workspaces"));
  },
  PINNED,
);
