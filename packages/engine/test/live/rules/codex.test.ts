import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { ruleFiles } from "@codexwright/engine/node";
import { exec, reply } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

verifies(
  "engine.approvals.rules-append",
  "Codex follows rules that the engine wrote, and the engine those of Codex",
  async () => {
    const words = ["touch", 'a "b"\\'];
    const script = `touch 'a "b"\\'`;
    const asked: string[] = [];
    await using live = await world([exec(script), exec("touch c", { justification: "why" }), reply("done")], {
      approvalPolicy: "on-request",
      sandbox: "read-only",
      client: {
        onApproval: (request) => {
          asked.push(request.kind === "command" ? (request.script ?? "") : request.kind);
          return request.kind === "command" && request.proposedExecpolicyAmendment
            ? { acceptWithExecpolicyAmendment: { execpolicy_amendment: request.proposedExecpolicyAmendment } }
            : "decline";
        },
      },
    });
    const rules = ruleFiles({ home: live.server.codexHome });
    await rules.allow(words);
    const { items } = await (await live.codex.startThread()).run("go");
    // The first command ran without a question, although the sandbox is read-only.
    expect(asked).toEqual(["touch c"]);
    expect(items.filter(({ type }) => type === "commandExecution")).toMatchObject([
      { status: "completed", exitCode: 0 },
      { status: "completed", exitCode: 0 },
    ]);
    const file = await readFile(path.join(live.server.codexHome, "rules/default.rules"), "utf8");
    expect(file.trim().split("\n").length).toBe(2);
    for (const argv of [["touch", "c"], words]) {
      const { commands } = await rules.judge({ argv, cwd: "/" });
      expect(commands[0]?.rule?.decision).toBe("allow");
    }
  },
  PINNED,
);
