import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Sandbox } from "@codexwright/engine";
import { ruleFiles } from "@codexwright/engine/node";
import type {
  CommandExecutionApprovalDecision,
  CommandExecutionRequestApprovalParams,
} from "codexwright/protocol";
import { verifies } from "@codexwright/test-support/verifies";
import { echoShell } from "../ports.ts";
import { worldOf, type World } from "./world.ts";

interface CommandWorld extends World {
  readonly asked: CommandExecutionRequestApprovalParams[];
  /** The commands that ran, each as `in` or `out` and its script. */
  readonly ran: string[];
  answer: CommandExecutionApprovalDecision;
}

/** A world whose sandbox marks the commands that it confines. */
async function commandWorld(ready: boolean | undefined = true): Promise<CommandWorld> {
  const shell = echoShell();
  const ran: string[] = [];
  const sandbox: Sandbox = {
    status: () => Promise.resolve(ready ? { ready: true } : { ready: false, why: "bwrap is missing" }),
    wrap: (command) =>
      Promise.resolve({
        command: { ...command, argv: ["confined", ...command.argv] },
        release: () => Promise.resolve(),
      }),
  };
  const world = await worldOf(({ root }) => ({
    rules: ruleFiles({ home: path.join(root, "home") }),
    ...(ready === undefined ? {} : { sandbox }),
    shell: {
      ...shell,
      start: (command) => {
        ran.push(`${command.argv[0] === "confined" ? "in" : "out"} ${command.argv.at(-1)}`);
        return shell.start(command);
      },
    },
  }));
  const asked: CommandExecutionRequestApprovalParams[] = [];
  const made: CommandWorld = { ...world, asked, ran, answer: "decline" };
  world.codex.onServerRequest("item/commandExecution/requestApproval", (params) => {
    asked.push(params);
    return { decision: made.answer };
  });
  return made;
}

const ESCALATED = { sandbox_permissions: "require_escalated", justification: "why" };

async function exec(
  world: CommandWorld,
  thread: Awaited<ReturnType<World["start"]>>,
  cmd: string,
  more: object = {},
): Promise<string> {
  return await world.run(thread, "exec_command", { cmd, login: false, ...more });
}

verifies(
  "engine.approvals.no-sandbox",
  "a server without a ready sandbox asks, or refuses under never",
  async () => {
    await using world = await commandWorld(false);
    const asking = await world.start({ approvalPolicy: "on-request" });
    await exec(world, asking, "touch a");
    expect(world.asked).toMatchObject([{ reason: expect.stringContaining("bwrap is missing") }]);
    expect(world.ran).toEqual([]);
    world.answer = "accept";
    await exec(world, asking, "touch a");
    expect(world.ran).toEqual(["out touch a"]);
    const never = await world.start({ approvalPolicy: "never" });
    expect(await exec(world, never, "touch a")).toContain("bwrap is missing");
    expect(world.asked.length).toBe(2);
    expect(world.ran.length).toBe(1);
  },
);

verifies("engine.approvals.session", "accepts the same command in the same folder and way", async () => {
  await using world = await commandWorld();
  await mkdir(path.join(world.work, "sub"));
  world.answer = "acceptForSession";
  const thread = await world.start({ approvalPolicy: "untrusted" });
  const steps: readonly (readonly [cmd: string, more: object, asked: number])[] = [
    ["touch a", {}, 1],
    ["touch a", {}, 1],
    ["touch a", { workdir: "sub" }, 2],
    ["touch  a", {}, 3],
    ["touch a", ESCALATED, 4],
    ["touch a", ESCALATED, 4],
    ["touch a", { shell: "/bin/sh" }, 5],
  ];
  for (const [cmd, more, asked] of steps) {
    await exec(world, thread, cmd, more);
    expect([cmd, more, world.asked.length]).toEqual([cmd, more, asked]);
  }
  expect(world.ran.map((line) => line.split(" ")[0])).toEqual(["in", "in", "in", "in", "out", "out", "in"]);
  // Another thread starts without them.
  await exec(world, await world.start({ approvalPolicy: "untrusted" }), "touch a");
  expect(world.asked.length).toBe(6);
});

verifies(
  "engine.approvals.amendment",
  "an accepted rule holds at once, is stored, and never covers other commands",
  async () => {
    await using world = await commandWorld();
    const thread = await world.start({ approvalPolicy: "on-request" });
    const amend = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "a"] } };
    world.answer = amend;
    await exec(world, thread, "touch a", ESCALATED);
    expect(world.asked[0]).toMatchObject({
      proposedExecpolicyAmendment: ["touch", "a"],
      availableDecisions: ["accept", amend, "cancel"],
    });
    expect(await readFile(path.join(world.home, "rules/default.rules"), "utf8")).toBe(
      'prefix_rule(pattern=["touch", "a"], decision="allow")\n',
    );
    world.answer = "decline";
    for (const cmd of ["touch a b", "touch a && touch a c"]) await exec(world, thread, cmd, ESCALATED);
    expect(world.asked.length).toBe(1);
    const others = [
      "touch b",
      "touch a && rm b",
      "touch a; evil",
      "touch a $(evil)",
      "touch a > b",
      "evil | touch a",
      "touch a\nevil",
    ];
    for (const [n, cmd] of others.entries()) {
      await exec(world, thread, cmd, ESCALATED);
      expect([cmd, world.asked.length]).toEqual([cmd, n + 2]);
    }
    // Several commands and interpreters get no proposal.
    for (const cmd of ["touch x && touch y", "python3 x.py", "bash -c ls", "echo $HOME"]) {
      await exec(world, thread, cmd, ESCALATED);
      expect(world.asked.at(-1)?.availableDecisions).toEqual(["accept", "cancel"]);
      expect(world.asked.at(-1)?.proposedExecpolicyAmendment ?? null).toBeNull();
    }
  },
);

verifies("engine.approvals.rules", "rules decide before the policy", async () => {
  await using world = await commandWorld();
  await mkdir(path.join(world.home, "rules"));
  await writeFile(
    path.join(world.home, "rules/a.rules"),
    'prefix_rule(pattern=["touch"])\nprefix_rule(pattern=["ls"], decision="prompt", justification="look first")\nprefix_rule(pattern=["wc"], decision="forbidden", justification="no counting")\n',
  );
  const thread = await world.start({ approvalPolicy: "on-request" });
  await exec(world, thread, "touch a");
  await exec(world, thread, "echo a");
  expect(world.ran).toEqual(["out touch a", "in echo a"]);
  expect(await exec(world, thread, "touch a | wc")).toContain("no counting");
  expect(await exec(world, thread, "echo $(wc a)")).toContain("no counting");
  await exec(world, thread, "ls");
  expect(world.asked).toMatchObject([{ reason: "a rule requires approval: look first" }]);
  expect(world.asked[0]?.availableDecisions).toEqual(["accept", "cancel"]);
  const never = await world.start({ approvalPolicy: "never" });
  expect(await exec(world, never, "ls")).toContain("Never");
  expect(await exec(world, never, "touch a")).toContain("Chunk ID");
  expect(world.asked.length).toBe(1);
});

verifies(
  "security.s84",
  "a command that needs an answer runs only with that answer, whatever the client sends",
  async () => {
    await using world = await commandWorld();
    const thread = await world.start({ approvalPolicy: "untrusted" });
    const answers: readonly unknown[] = [
      "decline",
      "approved",
      "ACCEPT",
      true,
      null,
      {},
      [],
      ["accept"],
      { accept: true },
      { acceptWithExecpolicyAmendment: null },
      { acceptWithExecpolicyAmendment: {} },
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: [] } },
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: "touch" } },
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: [7] } },
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: [""] } },
      { applyNetworkPolicyAmendment: { network_policy_amendment: { host: "a.test", action: "deny" } } },
      { applyNetworkPolicyAmendment: null },
      { toString: "accept" },
    ];
    for (const answer of answers) {
      world.answer = answer as CommandExecutionApprovalDecision;
      await exec(world, thread, "touch a");
      expect([answer, world.ran]).toEqual([answer, []]);
    }
    expect(world.asked.length).toBe(answers.length);
    world.answer = "accept";
    await exec(world, thread, "touch a");
    expect(world.ran).toEqual(["in touch a"]);
  },
);

verifies("security.s84", "the model cannot choose arguments that avoid the question", async () => {
  await using world = await commandWorld();
  world.answer = "decline";
  const thread = await world.start({ approvalPolicy: "on-request" });
  const value = fc.constantFrom<unknown>(
    "require_escalated",
    "use_default",
    "none",
    "",
    null,
    true,
    1,
    [],
    {},
    ["require_escalated"],
  );
  const more = fc.record(
    {
      sandbox_permissions: value,
      justification: value,
      prefix_rule: fc.constantFrom<unknown>(["touch"], [], "touch", [1], null),
      confined: value,
      approved: value,
      escalated: value,
      workdir: fc.constantFrom<unknown>("/", "..", ".", 7, null),
      shell: fc.constantFrom<unknown>("/bin/sh", "bash", "/work/evil", "", 7),
      login: value,
    },
    { requiredKeys: [] },
  );
  for (const args of fc.sample(more, { seed: 84, numRuns: 150 })) {
    const before = world.ran.length;
    await exec(world, thread, "touch a", args);
    // Without an answer of the user, everything that runs is confined.
    for (const line of world.ran.slice(before)) expect([args, line.split(" ")[0]]).toEqual([args, "in"]);
  }
  expect(world.ran.length).toBeGreaterThan(0);
  expect(world.asked.length).toBeGreaterThan(0);
});
