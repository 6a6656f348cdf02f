import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { wireScript } from "@codexwright/testing";
import { CodexClient } from "codexwright";
import type { CloseReason } from "codexwright/rpc";
import { CodexNotFoundError, stdio, type StdioOptions } from "codexwright/stdio";
import { processesOf } from "@codexwright/test-support/world";
import { rejection, until } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";

const never = new AbortController().signal;

function folder(): Disposable & { readonly path: string } {
  const made = realpathSync(mkdtempSync(path.join(tmpdir(), "codexwright-command-")));
  return { path: made, [Symbol.dispose]: () => rmSync(made, { recursive: true }) };
}

/** Runs a command until it has ended, and returns its lines. */
async function output(options: StdioOptions): Promise<{ lines: string[]; reason: CloseReason }> {
  const transport = await stdio(options)(never);
  const lines: string[] = [];
  const reason = await new Promise<CloseReason>((resolve) => {
    transport.open({ line: (line) => lines.push(line), closed: resolve });
  });
  await transport.close();
  return { lines, reason };
}

describe("on a POSIX system", () => {
  verifies(
    "stdio.command",
    "a program gets exactly its arguments, without a shell",
    async () => {
      const word = fc.string({ unit: fc.constantFrom("a", " ", "'", '"', "$", "`", "\\", ";", "*", "é") });
      await fc.assert(
        fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
          const { lines } = await output({
            command: [
              process.execPath,
              "-e",
              "console.log(JSON.stringify(process.argv.slice(1)))",
              "--",
              ...words,
            ],
          });
          expect(lines).toEqual([JSON.stringify(words)]);
        }),
        { numRuns: 8, seed: 91 },
      );
    },
    { skip: onWindows },
  );

  verifies(
    "stdio.command",
    "text runs in bash as a login shell, in cwd, with the environment, codexHome and stderr of a server",
    async () => {
      using home = folder();
      using work = folder();
      writeFileSync(path.join(home.path, ".bash_profile"), "export FROM_PROFILE=yes\n");
      const stderr: string[] = [];
      const { lines, reason } = await output({
        command: `echo "$FROM_PROFILE $ADDED \${REMOVED-none} $CODEX_HOME" && pwd; echo trouble >&2; exit 3`,
        cwd: work.path,
        codexHome: home.path,
        env: { HOME: home.path, ADDED: "two words", REMOVED: undefined },
        onStderr: (text) => stderr.push(text),
      });
      expect(lines).toEqual([`yes two words none ${home.path}`, work.path]);
      expect(stderr.join("")).toBe("trouble\n");
      expect(reason).toMatchObject({ exitCode: 3, stderrTail: "trouble\n" });
    },
    { skip: onWindows },
  );

  verifies(
    "stdio.command",
    "a client talks to the server of a command, and a program with a folder is looked up in cwd",
    async () => {
      using work = folder();
      using fake = wireScript({ script: [] });
      mkdirSync(path.join(work.path, "bin"));
      const program = path.join(work.path, "bin", "server");
      writeFileSync(program, `#!/bin/sh\nexec '${fake.executable}' "$@"\n`);
      chmodSync(program, 0o755);
      for (const command of [["./bin/server"], "exec ./bin/server", `'${fake.executable}'; true`]) {
        await using codex = await CodexClient.connect({ command, cwd: work.path });
        expect(codex.server.userAgent).not.toBe("");
      }
    },
    { skip: onWindows },
  );

  verifies(
    "stdio.command",
    "closing ends the shell and all of its children, even those that ignore SIGTERM",
    async () => {
      const tag = `COMMAND_${randomUUID()}`;
      const transport = await stdio({
        command: `trap '' TERM; (trap '' TERM; sleep 600; sleep 600) & echo up; sleep 600; sleep 600`,
        env: { TAG: tag },
      })(never);
      await new Promise<void>((resolve) => transport.open({ line: () => resolve(), closed: () => {} }));
      expect(processesOf(tag).length).toBeGreaterThan(1);
      await transport.close();
      await until(() => processesOf(tag).length === 0);
    },
    { skip: onWindows },
  );

  verifies(
    "stdio.command-missing",
    "if bash does not find the program, connect() rejects with codex_not_found, the name, and no other part of the text",
    async () => {
      using work = folder();
      writeFileSync(path.join(work.path, "not-executable"), "");
      const cases = [
        ["TOKEN=hunter2 nosuchprogram --password hunter2", "nosuchprogram"],
        ["exec nosuchprogram hunter2", "nosuchprogram"],
        ["./nosuchfile hunter2", "./nosuchfile"],
        ["./not-executable hunter2", "./not-executable"],
        // Without a message of bash, the first plain word counts.
        ["exec 2>/dev/null; TOKEN=hunter2 nosuchprogram", "exec"],
      ] as const;
      for (const [command, name] of cases) {
        const error = await rejection(CodexClient.connect({ command, cwd: work.path }));
        expect(error).toBeInstanceOf(CodexNotFoundError);
        expect(error).toMatchObject({ code: "codex_not_found", looked: [name] });
        const { message } = error as Error;
        expect(message).toContain(name);
        expect(message).toContain("option command");
        expect(message).not.toContain("hunter2");
      }
    },
    { skip: onWindows },
  );

  verifies(
    "stdio.command-missing",
    "a program that is missing without a shell is codex_not_found too, and 127 after output is not",
    async () => {
      for (const command of [["nosuchprogram"], ["./no/such"], ["/no/such"]]) {
        const error = await rejection(CodexClient.connect({ command }));
        expect(error).toMatchObject({ code: "codex_not_found" });
        expect((error as Error).message).toContain(path.basename(command[0] ?? ""));
      }
      const { reason } = await output({ command: "echo '{}'; exit 127" });
      expect(reason).toMatchObject({ exitCode: 127, cause: undefined });
      const error = await rejection(CodexClient.connect({ command: ["sh", "-c", "exit 127"] }));
      expect(error).toMatchObject({ code: "connection_closed", exitCode: 127 });
    },
    { skip: onWindows },
  );
});

verifies(
  "stdio.command",
  "an empty command, a command with codexPath or config, and other types are refused",
  () => {
    for (const command of ["", "  ", [], [""], ["a", 5], 5, {}, null]) {
      expect(() => stdio({ command } as never)).toThrow(
        expect.objectContaining({ code: "invalid_argument" }),
      );
    }
    for (const other of [{ codexPath: "codex" }, { config: {} }]) {
      const options = { command: "codex app-server", ...other };
      for (const call of [() => stdio(options), () => new CodexClient(options)]) {
        expect(call).toThrow(
          `${Object.keys(other).join("")} is for codex app-server: set either it or command`,
        );
      }
    }
    expect(() => new CodexClient({ command: "x", transport: stdio() } as never)).toThrow(
      "command configures",
    );
  },
);
