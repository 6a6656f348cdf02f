import { expect } from "vitest";
import { play, shown } from "@codexwright/test-support/play";
import { verifies } from "@codexwright/test-support/verifies";

const PINNED = { against: "pinned" } as const;

verifies(
  ["docs.examples", "agent.R116"],
  "code reviewer: opens a section, calls a tool, corrects an answer and returns typed findings",
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
  "ticket triage: rolls back a failing tool, denies a call by policy, and continues a stored session with its thread",
  async () => {
    const { stdout } = await play("ticket-triage");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("sessions"));
  },
  PINNED,
);

verifies(
  ["docs.examples", "agent.R116", "agent.bundle"],
  "documentation writer: continues until the page exists, then shows a diff, undoes changes and bundles the result",
  async () => {
    const { stdout } = await play("docs-writer");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("workspaces"));
  },
  PINNED,
);

verifies(
  ["docs.examples", "agent.R116", "agent.run.fail"],
  "an agent without a person: a question ends the run, and a later run continues the thread with the answer",
  async () => {
    const { stdout, requests } = await play("unattended");
    expect(stdout.trimEnd().split("\n")).toEqual(shown("unattended-agents"));
    expect(requests[1]?.lastUserText).toBe("You may not remove it. Go on without.");
  },
  PINNED,
);
