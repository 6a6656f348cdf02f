import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { bubblewrap, nodeShell, ruleFiles } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { worldOf, type World } from "../../unit/approvals/world.ts";

type Thread = Awaited<ReturnType<World["start"]>>;

/** Lets the model run a command. Returns its output. */
const sh = (world: World, thread: Thread, cmd: string, more: object = {}): Promise<string> =>
  world.run(thread, "exec_command", { cmd, login: false, yield_time_ms: 20_000, ...more });

async function confinedWorld(): Promise<World> {
  return await worldOf(({ root }) => ({
    sandbox: bubblewrap(),
    shell: nodeShell(),
    rules: ruleFiles({ home: path.join(root, "home") }),
  }));
}

verifies(
  "engine.approvals.grants",
  "a granted folder is writable for commands in the real sandbox",
  async () => {
    await using world = await confinedWorld();
    world.codex.onServerRequest("item/permissions/requestApproval", ({ permissions }) => ({
      permissions: { fileSystem: permissions.fileSystem ?? {} },
      scope: "session",
    }));
    const thread = await world.start({ approvalPolicy: "on-request" });
    const granted = path.join(world.outside, "granted");
    mkdirSync(path.join(granted, ".git"), { recursive: true });
    expect(await sh(world, thread, `touch ${granted}/a`)).toContain("Read-only");
    await world.run(thread, "request_permissions", {
      permissions: { file_system: { write: [granted] }, network: { enabled: true } },
    });
    await sh(world, thread, `touch ${granted}/a`);
    expect(existsSync(path.join(granted, "a"))).toBe(true);
    for (const file of [`${granted}/.git/hook`, `${world.outside}/a`, `${world.home}/a`]) {
      expect(await sh(world, thread, `touch ${file}`)).toContain("Read-only");
      expect(existsSync(file)).toBe(false);
    }
  },
);

verifies(
  "engine.approvals.amendment",
  "an accepted command runs outside of the sandbox, and only that command",
  async () => {
    await using world = await confinedWorld();
    const file = path.join(world.outside, "a");
    let asked = 0;
    world.codex.onServerRequest(
      "item/commandExecution/requestApproval",
      ({ proposedExecpolicyAmendment }) => {
        if (asked++ > 0) return { decision: "decline" };
        return {
          decision: {
            acceptWithExecpolicyAmendment: { execpolicy_amendment: proposedExecpolicyAmendment ?? [] },
          },
        };
      },
    );
    const thread = await world.start({ approvalPolicy: "on-request" });
    expect(await sh(world, thread, `touch ${file}`)).toContain("Read-only");
    await sh(world, thread, `touch ${file}`, { sandbox_permissions: "require_escalated" });
    expect(existsSync(file)).toBe(true);
    await sh(world, thread, `touch ${file} ${file}2`);
    expect(existsSync(`${file}2`)).toBe(true);
    expect(await sh(world, thread, `touch ${file} && touch ${file}3`)).toContain("Read-only");
    expect(await sh(world, thread, `touch ${file} > ${file}4`)).toContain("Read-only");
    expect(asked).toBe(1);
  },
);

verifies(
  "security.s84",
  "an accepted command does not run in another folder that a link puts in its place",
  async () => {
    await using world = await confinedWorld();
    const sub = path.join(world.work, "sub");
    const swap = (): void => {
      renameSync(sub, `${sub}-old`);
      symlinkSync(world.outside, sub);
    };
    const back = (): void => {
      rmSync(sub);
      renameSync(`${sub}-old`, sub);
    };
    mkdirSync(sub);
    const asked: string[] = [];
    let whileAsked = (): void => {};
    world.codex.onServerRequest("item/commandExecution/requestApproval", ({ reason }) => {
      asked.push(reason ?? "");
      whileAsked();
      return { decision: "acceptForSession" };
    });
    const run = async (cmd: string, workdir = "sub"): Promise<string> =>
      await sh(world, thread, cmd, {
        workdir,
        sandbox_permissions: "require_escalated",
        justification: "why",
      });
    const thread = await world.start({ approvalPolicy: "on-request" });
    // While the user is asked.
    whileAsked = swap;
    expect(await run("touch a")).toContain("was replaced by a link");
    expect(readdirSync(world.outside)).toEqual([]);
    whileAsked = () => {};
    back();
    // After the user accepted it for the session.
    await run("touch b");
    expect(readdirSync(sub)).toEqual(["b"]);
    rmSync(path.join(sub, "b"));
    await run("touch b");
    expect([readdirSync(sub), asked.length]).toEqual([["b"], 2]);
    swap();
    await run("touch b", "./sub/../sub");
    expect(asked.slice(2)).toEqual([`why\nThrough links: ${sub} leads to ${world.outside}`]);
    expect(readdirSync(world.outside)).toEqual(["b"]);
  },
);
