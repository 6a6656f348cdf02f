import type { ApprovalRequest } from "codexwright";
import type { RateLimitSnapshot, ThreadItem } from "codexwright/protocol";
import { describe, expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { accountText } from "../../src/account/whoami.ts";
import { approvalBlock, approvalChoices } from "../../src/run/ask/approval-text.ts";
import { typed } from "../../src/show/input-line.ts";
import { itemBlock } from "../../src/show/item-block.ts";
import { renderMarkdown } from "../../src/show/markdown.ts";
import { statusLine } from "../../src/show/status.ts";
import { factsOf, summaryText } from "../../src/show/summary.ts";
import { plain, styleFor } from "../../src/shared/style.ts";
import { table } from "../../src/shared/table.ts";
import { ago } from "../../src/threads/ago.ts";

const USAGE = {
  inputTokens: 1_100,
  cachedInputTokens: 900,
  outputTokens: 134,
  reasoningOutputTokens: 0,
  totalTokens: 1_234,
};

verifies("cli.run.terminal", "the status line shows the time, the tokens and how full the context is", () => {
  const line = statusLine(
    { elapsedMs: 72_000, usage: USAGE, context: { usedTokens: 30, windowTokens: 100 }, hint: "keys" },
    plain(),
  );
  expect(line).toBe("⠋ 1m 12s · 1,234 tokens · context ███░░░░░░░ 30% · keys");
});

describe("the summary", () => {
  const items = [
    { type: "commandExecution", command: "/bin/sh -c 'a'", exitCode: 1, status: "failed" },
    {
      type: "fileChange",
      status: "completed",
      changes: [{ path: "/w/a", kind: { type: "add" }, diff: "x\ny\n" }],
    },
    {
      type: "fileChange",
      status: "completed",
      changes: [{ path: "/w/a", kind: { type: "update", move_path: null }, diff: "@@\n-x\n+z\n" }],
    },
    {
      type: "fileChange",
      status: "declined",
      changes: [{ path: "/w/b", kind: { type: "add" }, diff: "x\n" }],
    },
  ] as unknown as ThreadItem[];

  verifies("cli.run.text", "has one entry per file, and every command", () => {
    expect(factsOf(items)).toEqual({
      filesChanged: [{ path: "/w/a", kind: "add", added: 3, removed: 1 }],
      commands: [{ command: "a", exitCode: 1, status: "failed" }],
    });
  });

  verifies("cli.run.text", "follows a moved file, and names only some of many files", () => {
    const update = (path: string, target: string | null): ThreadItem =>
      ({
        type: "fileChange",
        status: "completed",
        changes: [{ path, kind: { type: "update", move_path: target }, diff: "@@\n+z\n" }],
      }) as unknown as ThreadItem;
    const { filesChanged } = factsOf([update("/w/a", "/w/b"), update("/w/b", null), update("/w/b", "/w/c")]);
    expect(filesChanged).toEqual([{ path: "/w/a", movedTo: "/w/c", kind: "update", added: 3, removed: 0 }]);
    const many = Array.from({ length: 30 }, (_, index) => update(`/w/${index}`, null));
    const facts = { threadId: "id-1", ...factsOf([update("/w/a", "/w/b"), ...many]), durationMs: 1 };
    const text = summaryText(facts, { style: plain(), folder: "/w", resumable: false });
    expect(text).toContain("changed  a → b +1 -0\n         0 +1 -0\n");
    expect(text).toContain("\n         … 11 more files\n");
  });

  verifies("cli.run.text", "shows what it cost and how to resume", () => {
    const facts = { threadId: "id-1", ...factsOf(items), usage: USAGE, durationMs: 2_500 };
    expect(summaryText(facts, { style: plain(), folder: "/w", resumable: true })).toBe(
      [
        "changed  a +3 -1",
        "ran      1 command, 1 failed",
        "used     1,234 tokens (1,100 in, of these 900 cached; 134 out) in 2.5 s",
        "thread   id-1",
        'resume   codexwright run --resume id-1 "…"',
        "",
      ].join("\n"),
    );
  });
});

describe("approvals", () => {
  const request = {
    kind: "command",
    script: "rm -rf build",
    reason: "to \u001B[31mclean",
    cwd: "/w/sub",
    available: [
      "accept",
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["rm", "-rf"] } },
      "cancel",
    ],
  } as unknown as ApprovalRequest;

  verifies("cli.run.approvals", "show the command, its folder, and the reason", () => {
    expect(approvalBlock(request, "/w", plain())).toBe("$ rm -rf build\n  in /w/sub\n  to clean\n");
  });

  verifies("cli.run.approvals", "offer a key for each decision, and always a way to decline", () => {
    const choices = approvalChoices(request);
    expect(choices.map(({ key, decision }) => [key, decision])).toEqual([
      ["y", "accept"],
      ["p", { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["rm", "-rf"] } }],
      ["c", "cancel"],
      ["n", "decline"],
    ]);
    expect(choices[1]?.label).toContain("`rm -rf`");
  });

  verifies("cli.run.approvals", "show a change as its diff", () => {
    const change = {
      kind: "fileChange",
      available: ["accept"],
      changes: [{ path: "/w/a", kind: { type: "add" }, diff: "x\n" }],
    } as unknown as ApprovalRequest;
    expect(approvalBlock(change, "/w", plain())).toBe("a (new) +1 -0\n  +x\n");
  });
});

verifies("cli.run.steering", "a line can be typed, edited and submitted", () => {
  let text = "";
  const press = (key: Parameters<typeof typed>[1]): string | undefined => {
    const next = typed(text, key);
    text = next.text;
    return next.submitted;
  };
  for (const letter of "ab c") press({ sequence: letter });
  press({ name: "backspace", sequence: "\u007F" });
  press({ name: "up", sequence: "\u001B[A" });
  press({ name: "x", ctrl: true, sequence: "\u0018" });
  expect(text).toBe("ab ");
  press({ sequence: "é" });
  expect(press({ name: "return", sequence: "\r" })).toBe("ab é");
  expect(press({ name: "return", sequence: "\r" })).toBeUndefined();
});

describe("tables", () => {
  const rows = [["id-0123456789", "a folder that has a long name", "a text that has many words in it"]];

  verifies("cli.threads", "fit a terminal and keep ids complete", () => {
    const text = table(["ID", "FOLDER", "WHAT"], rows, { style: plain(), width: 55, isTerminal: true });
    for (const line of text.trimEnd().split("\n")) expect(line.length).toBeLessThanOrEqual(55);
    expect(text).toContain("id-0123456789  a folder");
    expect(text).toContain("…");
  });

  verifies("cli.threads", "lose nothing in a pipe", () => {
    const text = table(["ID", "FOLDER", "WHAT"], rows, { style: plain(), width: 20, isTerminal: false });
    expect(text).toContain("a folder that has a long name  a text that has many words in it\n");
  });

  verifies("cli.threads", "show times in their largest unit", () => {
    expect([5, 61_000, 7_300_000, 200_000_000].map(ago)).toEqual(["just now", "1m ago", "2h ago", "2d ago"]);
  });
});

verifies("cli.account", "limits are bars", () => {
  const limits = {
    limitId: "codex",
    primary: { usedPercent: 31, windowDurationMins: 300, resetsAt: 3_600 },
    secondary: { usedPercent: 100, windowDurationMins: 10_080, resetsAt: null },
  } as unknown as RateLimitSnapshot;
  const account = { type: "chatgpt", email: "a@b.c", planType: "pro", workspaceName: null } as const;
  expect(accountText(account, [limits], plain(), 0)).toBe(
    [
      "a@b.c, plan pro",
      "codex      ███░░░░░░░ 31% of 5 hours, resets in 60 minutes",
      "codex      ██████████ 100% of 7 days",
      "",
    ].join("\n"),
  );
});

describe("colours", () => {
  verifies("cli.run.terminal", "are for terminals, unless NO_COLOR is set", () => {
    expect(styleFor({ isTTY: true }, {}).red("x")).not.toBe("x");
    expect(styleFor({ isTTY: false }, {}).red("x")).toBe("x");
    expect(styleFor({ isTTY: true }, { NO_COLOR: "1" }).red("x")).toBe("x");
    expect(styleFor({ isTTY: true }, { TERM: "dumb" }).red("x")).toBe("x");
  });

  verifies("cli.run.text", "dims reasoning, and marks its headings instead of showing asterisks", () => {
    const item = { type: "reasoning", id: "r", summary: ["**Look**\n\nat it"], content: [] } as ThreadItem;
    const look = { folder: "/w", markdown: (text: string) => text };
    const coloured = itemBlock(item, { ...look, style: styleFor({ isTTY: true }, {}) });
    expect(coloured).toContain("\u001B[2m");
    expect(coloured).not.toContain("**");
    expect(itemBlock(item, { ...look, style: plain() })).toBe("**Look**\n\nat it\n");
  });

  verifies("cli.run.text", "renders markdown to the width, in lists too", () => {
    const text = renderMarkdown("- one **two**\n\nA paragraph that is longer than the width of it.", 30);
    expect(text).not.toContain("**");
    for (const line of text.split("\n")) expect(line.length).toBeLessThan(60);
    expect(text).toContain("two");
  });
});
