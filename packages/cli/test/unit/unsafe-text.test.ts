import type { ApprovalRequest } from "codexwright";
import { reply } from "@codexwright/testing";
import type { FileUpdateChange, ThreadItem } from "codexwright/protocol";
import { describe, expect } from "vitest";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { approvalBlock, approvalChoices } from "../../src/run/ask/approval-text.ts";
import { itemBlock } from "../../src/show/item-block.ts";
import { commandLine, commandOutcome, fileChanges, foldedOutput } from "../../src/show/item-text.ts";
import { renderMarkdown } from "../../src/show/markdown.ts";
import { plain } from "../../src/shared/style.ts";
import { clean, jsonText, linesOf, visible } from "../../src/shared/text.ts";
import { newUser } from "../support/user.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 60_000 };

/** A title, the clipboard, a cleared screen, an 8-bit CSI and a direction override. */
const EVIL = "a\u001B]0;t\u0007b\u001B]52;c;aGk=\u0007c\u001B[2Jd\u009B31me\u202Ef";

describe("control sequences", () => {
  verifies("cli.unsafe.sequences", "are removed from text, with marks that reorder it", () => {
    expect(clean(EVIL)).not.toMatch(/[^\P{Cc}]|[\u202A-\u202E]/u);
  });

  verifies("cli.unsafe.sequences", "cannot be smuggled in as entities in markdown", () => {
    const entities = "&#27;]0;t&#7; &#x1b;[2J &#155;31m";
    const places = [entities, `**${entities}**`, `- ${entities}`, `# ${entities}`, `> ${entities}`];
    const tables = `| ${entities} | b |\n|---|---|\n| c | ${entities} |`;
    for (const text of [...places, tables, `[${entities}](http://a.b/?${entities})`, `\`${entities}\``]) {
      const rendered = renderMarkdown(clean(text), 80);
      // Nothing but colours.
      // oxlint-disable-next-line no-control-regex -- they are what is looked for
      expect(rendered.replaceAll(/\u001B\[[\d;]*m/g, "")).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  verifies("cli.unsafe.sequences", "are escaped in JSON, which keeps the value", () => {
    const text = jsonText({ text: EVIL });
    expect(text).not.toMatch(/[^\P{Cc}]|[\u202A-\u202E]/u);
    expect(JSON.parse(text)).toEqual({ text: EVIL });
  });

  verifies(
    "cli.unsafe.sequences",
    "do not pass with --quiet or --output-schema either",
    async () => {
      await using user = await newUser({ model: [reply(EVIL)] });
      const { stdout } = await user.run(["run", "-q", "Say it"]);
      expect(stdout).toBe(`${clean(EVIL)}\n`);
    },
    FAKE,
  );
});

describe("hidden text in a command", () => {
  verifies("cli.unsafe.hidden", "is shown in the question", () => {
    const request = {
      kind: "command",
      script: "echo hi \u001B]0;rm -rf ~;\u0007",
      available: ["accept"],
    } as unknown as ApprovalRequest;
    expect(approvalBlock(request, "/w", plain())).toBe("$ echo hi ␛]0;rm -rf ~;␇\n");
    expect(visible("a\u202Eb\u009Bc\u007F\r")).toBe("a<U+202E>b<U+009B>c␡␍");
  });

  verifies("cli.unsafe.hidden", "is shown in the choice to never ask again", () => {
    const amendment = { execpolicy_amendment: ["git", "push\u001B]0;--force\u0007"] };
    const request = { kind: "command", available: [{ acceptWithExecpolicyAmendment: amendment }] };
    const [choice] = approvalChoices(request as unknown as ApprovalRequest);
    expect(choice?.label).toContain("`git push␛]0;--force␇`");
  });

  verifies("cli.unsafe.hidden", "is shown if it is a shell that is not a system shell", () => {
    const request = { kind: "command", command: "/w/bash -c ls", available: ["accept"] };
    expect(approvalBlock(request as unknown as ApprovalRequest, "/w", plain())).toBe("$ /w/bash -c ls\n");
  });

  verifies("cli.unsafe.hidden", "a shell inside a script is shown", () => {
    const script = "bash -lc 'bash -c ls'";
    const request = { kind: "command", command: `/bin/bash -lc "${script}"`, script, available: ["accept"] };
    expect(approvalBlock(request as unknown as ApprovalRequest, "/w", plain())).toBe(`$ ${script}\n`);
  });

  verifies("cli.unsafe.hidden", "shows a shell's script exactly as the shell gets it", () => {
    const shown = (command: string): string => commandLine(command, plain());
    expect(shown("/bin/bash -lc 'seq 30'")).toBe("$ seq 30\n");
    expect(shown(String.raw`/bin/bash -lc 'printf '"'%s' \"\$i\" '"'; done'`)).toBe(
      `$ printf '%s' "$i" '; done\n`,
    );
    expect(shown("bash -lc ls")).toBe("$ ls\n");
    for (const other of ["bash -lc ls x", "bash -lc 'ls", "bash x", "ls", "./bash -lc ls"])
      expect(shown(other)).toBe(`$ ${other}\n`);
  });

  verifies("cli.unsafe.hidden", "is shown in a line of a diff", () => {
    const change = { path: "/w/a", kind: { type: "add" }, diff: "x\u001B[8mhidden\r\ny\n\n" };
    expect(fileChanges([change as FileUpdateChange], "/w", plain())).toBe(
      "a (new) +3 -0\n  +x␛[8mhidden\n  +y\n  +\n",
    );
  });
});

describe("large content", () => {
  verifies(
    "cli.unsafe.size",
    "folds a long output and its long lines, and shows only the final state of a progress bar",
    () => {
      const output = `1%\r50%\r100%\r\n${"x".repeat(300_000)}\n`;
      expect(foldedOutput(output, plain())).toEqual(["100%", `${"x".repeat(500)}… 299500 more characters`]);
    },
  );

  verifies("cli.unsafe.size", "shortens a tool's arguments, and makes them safe to print", () => {
    const args = { text: `\u001B[2J\u009B${"x".repeat(10_000)}` };
    const item = { type: "dynamicToolCall", id: "d", tool: "look", arguments: args, status: "completed" };
    const look = { style: plain(), folder: "/w", markdown: (text: string) => text };
    const text = itemBlock(item as unknown as ThreadItem, look);
    expect(text).toMatch(/^tool look \{"text":"\\u001b\[2J\\u009bx+… 9\d+ more characters\n$/);
  });

  verifies("cli.unsafe.size", "handles endless empty lines quickly", () => {
    const output = `${"\n".repeat(500_000)}x`;
    expect(linesOf(output)).toHaveLength(500_001);
    expect(foldedOutput(output, plain(), 2)).toEqual(["… 499999 more lines", "", "x"]);
  });

  verifies("cli.unsafe.size", "does not highlight code without a language, or very long code", () => {
    const code = 'const value = compute(1) && "text";\n'.repeat(2_000);
    const text = renderMarkdown(`\`\`\`ts\n${code}\`\`\`\n\n\`\`\`\n${code}\`\`\``, 80);
    expect(text.split("\n").filter((line) => line === '  const value = compute(1) && "text";')).toHaveLength(
      4_000,
    );
  });

  verifies("cli.unsafe.size", "leaves a table that does not fit as it was written", () => {
    const table = `| a | b |\n|---|---|\n| ${"long ".repeat(20)}| c |`;
    expect(renderMarkdown(table, 60)).toBe(table);
    expect(renderMarkdown(table, 120)).toContain("┌");
  });
});

verifies("cli.run.text", "shows one box per task in a task list", () => {
  for (const gap of ["", "\n"]) {
    const text = renderMarkdown(`- [ ] one\n${gap}- [x] two`, 80);
    expect([text.split("[ ]").length, text.split("[X]").length]).toEqual([2, 2]);
  }
});

verifies("cli.run.text", "says that a command failed, even without an exit code", () => {
  const item = { type: "commandExecution", status: "failed", exitCode: null, aggregatedOutput: null };
  expect(commandOutcome(item as Extract<ThreadItem, { type: "commandExecution" }>, plain())).toBe(
    "  failed\n",
  );
});

verifies("cli.run.text", "shows a moved file's new name beside the old one, and not in its diff", () => {
  const change = {
    path: "/w/a",
    kind: { type: "update", move_path: "/w/b" },
    diff: "@@ -1 +1 @@\n-x\n+y\n\n\nMoved to: /w/b",
  };
  expect(fileChanges([change as FileUpdateChange], "/w", plain())).toBe(
    "a → b +1 -1\n  @@ -1 +1 @@\n  -x\n  +y\n",
  );
});
