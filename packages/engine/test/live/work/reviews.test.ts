import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { bubblewrap, nodeShell, ruleFiles } from "@codexwright/engine/node";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { worldOf, type World } from "../../unit/approvals/world.ts";

const TARGET = { type: "custom", instructions: "Look at it." } as const;

/** Lets a reviewer make these calls. Returns their outputs. */
async function reviewing(
  world: World,
  params: object,
  calls: readonly (readonly [name: string, args: unknown])[],
): Promise<string[]> {
  const thread = await world.start(params);
  const run = async (): Promise<void> => {
    const ended: string[] = [];
    world.codex.onNotification("turn/completed", ({ turn }) => ended.push(turn.status));
    await world.codex.request("review/start", { threadId: thread.id, target: TARGET });
    await until(() => ended.length > 0);
  };
  return await world.runAll({ run }, calls);
}

verifies("security.s128", "a reviewer writes nothing, whatever the thread may do", async () => {
  const cases: readonly object[] = [
    { sandbox: "workspace-write", approvalPolicy: "never" },
    { sandbox: "workspace-write", approvalPolicy: "on-request" },
    { sandbox: "danger-full-access", approvalPolicy: "never" },
    { sandbox: "danger-full-access", approvalPolicy: "on-request" },
  ];
  for (const params of cases) {
    await using world = await worldOf(({ root }) => ({
      sandbox: bubblewrap(),
      shell: nodeShell(),
      rules: ruleFiles({ home: path.join(root, "home") }),
    }));
    // A rule of the user lets this command leave the sandbox, in a turn.
    await mkdir(path.join(world.home, "rules"));
    await writeFile(
      path.join(world.home, "rules", "a.rules"),
      'prefix_rule(pattern=["touch"], decision="allow")\n',
    );
    let asked = 0;
    world.codex.onServerRequest("item/commandExecution/requestApproval", () => {
      asked++;
      return { decision: "accept" };
    });
    const { work, outside } = world;
    const sh = (cmd: string, more: object = {}) =>
      ["exec_command", { cmd, login: false, yield_time_ms: 20_000, ...more }] as const;
    const outputs = await reviewing(world, params, [
      sh("echo read; cat /etc/hostname"),
      sh("touch a"),
      sh(`touch ${outside}/b`),
      sh("touch c", { sandbox_permissions: "require_escalated", justification: "please" }),
      sh("mkdir d && echo x >d/e"),
      sh("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: f\n+x\n*** End Patch\nEOF"),
      sh("ln -s / g; rm -rf ."),
      sh("git init -q ."),
      ["apply_patch", { input: "*** Begin Patch\n*** Add File: h\n+x\n*** End Patch" }],
    ]);
    expect(outputs).toHaveLength(9);
    expect(outputs[0]).toContain("read");
    expect(readdirSync(work)).toEqual([]);
    expect(existsSync(path.join(outside, "b"))).toBe(false);
    expect(asked).toBe(0);
  }
});
