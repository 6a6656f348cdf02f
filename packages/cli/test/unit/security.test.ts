import type { ApprovalRequest } from "codexwright";
import type { ThreadItem } from "codexwright/protocol";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { approvalBlock } from "../../src/run/ask/approval-text.ts";
import { itemBlock } from "../../src/show/item-block.ts";
import { renderMarkdown } from "../../src/show/markdown.ts";
import { explain } from "../../src/shared/explain.ts";
import { plain } from "../../src/shared/style.ts";
import { table } from "../../src/shared/table.ts";
import { clean, linesOf } from "../../src/shared/text.ts";

/**
 * Clears the screen, sets the title, writes to the clipboard, moves up, overwrites the line, reverses the
 * text.
 */
const HOSTILE = [
  "\x1B[2J",
  "\x1B]0;title\x07",
  "\x1B]52;c;ZXZpbA==\x07",
  "\x1B[1A\x1B[2K",
  "\rrm -rf /",
  "31m",
  "\x1BP+q\x1B\\",
  "\x1B_x\x1B\\",
  "\b\b\b",
  "\x07",
  "",
  "‮cod.exe",
  "⁦x⁩",
  "\0",
  "\x1B]8;;file:///etc/passwd\x07link\x1B]8;;\x07",
  "\x1B[",
  "\x1B",
  "0;t",
].join(" ");

/** Characters that must not reach a terminal: controls other than line feeds and tabs, and direction marks. */
const CONTROL = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;

const LOOK = { style: plain(), folder: "/w", markdown: (text: string) => renderMarkdown(text, 80) };

verifies("security.s18", "removes control sequences from the text of models, commands and servers", () => {
  const items = [
    { type: "agentMessage", id: "1", text: HOSTILE },
    { type: "reasoning", id: "2", summary: [HOSTILE], content: [] },
    { type: "userMessage", id: "3", content: [{ type: "text", text: HOSTILE }] },
    {
      type: "commandExecution",
      id: "4",
      command: HOSTILE,
      aggregatedOutput: HOSTILE,
      exitCode: 1,
      status: "failed",
    },
    {
      type: "fileChange",
      id: "5",
      status: "completed",
      changes: [{ path: HOSTILE, kind: { type: "add" }, diff: HOSTILE }],
    },
    {
      type: "mcpToolCall",
      id: "6",
      server: HOSTILE,
      tool: HOSTILE,
      arguments: { [HOSTILE]: HOSTILE },
      status: "failed",
    },
    { type: "webSearch", id: "7", query: HOSTILE },
    { type: "exitedReviewMode", id: "8", review: HOSTILE },
  ] as unknown as ThreadItem[];
  const requests = [
    {
      kind: "command",
      command: HOSTILE,
      script: HOSTILE,
      cwd: HOSTILE,
      reason: HOSTILE,
      commandActions: [],
      available: [],
    },
    { kind: "network", host: HOSTILE, protocol: HOSTILE, reason: HOSTILE, available: [] },
    {
      kind: "mcpTool",
      tool: HOSTILE,
      arguments: { a: HOSTILE },
      message: HOSTILE,
      reason: HOSTILE,
      available: [],
    },
  ] as unknown as ApprovalRequest[];
  const shown = [
    ...items.map((item) => itemBlock(item, { ...LOOK, markdown: (text) => text })),
    ...requests.map((request) => approvalBlock(request, "/w", plain())),
    table([HOSTILE], [[HOSTILE]], { width: 80, style: plain() } as never),
    explain(new Error(HOSTILE)).message,
    clean(HOSTILE),
  ];
  for (const text of shown) expect(CONTROL.exec(text)).toBeNull();
});

verifies("security.s18", "entities in Markdown do not become control sequences", () => {
  const entities = [
    "&#27;[2J",
    "&#x1b;]0;t&#7;",
    "&#155;31m",
    "&#x9b;2J",
    "&#8238;x",
    "&#13;y",
    "&#0;",
    "&#127;",
  ];
  const places = (text: string): string[] => [
    `a ${text} b`,
    `# h ${text}`,
    `- l ${text}`,
    `> q ${text}`,
    `**${text} b**`,
    `[t ${text}](http://x/${text})`,
    `| ${text} |\n|-|\n| ${text} |`,
    `![${text}](${text})`,
    `<b>${text}</b>`,
    `~~${text} x~~`,
  ];
  for (const text of entities.flatMap(places)) {
    // The command's own sequences are colours, and nothing else.
    // oxlint-disable-next-line no-control-regex -- that is what is looked for
    const rendered = renderMarkdown(clean(text), 80).replaceAll(/\u001b\[[\d;]*m/g, "");
    expect(CONTROL.exec(rendered)).toBeNull();
  }
});

verifies("security.s18", "shows endlessly nested Markdown, unformatted if necessary", () => {
  // The depth that a parser can handle depends on the runtime.
  expect(renderMarkdown("> ".repeat(5_000), 80)).toBeTypeOf("string");
  for (const mark of [">", "> ", "- ", "1. ", "> - "]) {
    for (const depth of [40, 300]) {
      const text = `${mark.repeat(depth)}a`;
      expect(renderMarkdown(text, 80)).toBe(text);
    }
  }
});

verifies("security.s17", "removes thousands of line feeds quickly", () => {
  const before = process.cpuUsage();
  expect(linesOf(`${"\n".repeat(50_000)}x\n\n`)).toHaveLength(50_001);
  expect(renderMarkdown(`a${"\n".repeat(20_000)}b`, 80)).toContain("b");
  // Unlike a clock, this does not count other load on the machine.
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

verifies("security.s17", "removes unterminated terminal sequences in linear time", () => {
  const beginnings = ["\u001B", "\u001B[", "\u009B", "\u001B]8;;", "\u009D", "\u001BP", "\u0090", "a"];
  const rests = [
    ";#",
    ";?",
    "?;??",
    "#",
    "1;",
    ";a",
    " ",
    "\u001B",
    "\u001B]",
    "\u009D",
    "\u001B[1;",
    "x\u0090",
  ];
  const slow: string[] = [];
  for (const beginning of beginnings) {
    for (const rest of rests) {
      const text = beginning + rest.repeat(50_000 / rest.length);
      const before = process.cpuUsage();
      clean(text);
      // Quadratic time would take ten seconds.
      if (process.cpuUsage(before).user > 1_000_000) slow.push(JSON.stringify(beginning + rest));
    }
  }
  expect(slow).toEqual([]);
});

verifies(
  "security.s18",
  "removes complete terminal sequences entirely, and incomplete ones hide nothing",
  () => {
    for (const [text, seen] of [
      ["a\u001B]8;;http://x\u0007link\u001B]8;;\u001B\\b", "alinkb"],
      ["a\u001BPq#0;2;0\u001B\\b", "ab"],
      ["a\u009D0;title\u009Cb", "ab"],
      ["a\u001B[38;2;1;2;3mb\u009B0mc\u001B[?25ld\u001B(Be\u001B7f", "abcdef"],
      ["a\u001B]0;no end", "a␛]0;no end"],
      ["a\u001B]0;two\nlines\u0007b", "a␛]0;two\nlines␇b"],
      ["a\u001B\u001B[2J[3Jb", "a␛[3Jb"],
    ] as const)
      expect(clean(text)).toBe(seen);
  },
);
