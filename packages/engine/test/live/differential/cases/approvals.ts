import { applyPatch, exec, reply, type Scenario, type ScenarioSetup } from "@codexwright/testing";
import { differential, run, steps, turns } from "./case.ts";

const DONE = reply("done");
type Decision = "accept" | "acceptForSession" | "decline" | "cancel";

/** A policy that asks, and a client that answers alike each time. */
function answered(
  decision: Decision,
  setup: ScenarioSetup,
  texts: readonly string[] = ["go"],
): ReturnType<typeof turns> {
  return turns({ approvalPolicy: "on-request", sandbox: "workspace-write", ...setup }, texts, {
    onApproval: () => decision,
  });
}

const OUT = exec("sleep 0.4; echo out", { justification: "may I?" });
const PATCH = applyPatch("*** Add File: a.txt\n+one\n+two\n+three");
const OUTSIDE = applyPatch("*** Add File: ../outside.txt\n+hello");

/** A thread whose policy is not among those of a scenario. */
function untrusted(
  decision: Decision,
  model: ScenarioSetup["model"],
  policy: unknown = "untrusted",
  texts: readonly string[] = ["go"],
): ReturnType<typeof turns> {
  return steps(
    { model, sandbox: "workspace-write" },
    async (codex) => {
      const thread = await codex.startThread({ approvalPolicy: policy as "untrusted" });
      for (const text of texts) await run(thread, text);
    },
    { onApproval: () => decision },
  );
}

/** Approvals of commands and patches. */
export const APPROVALS: readonly Scenario[] = [
  differential("asked.accept", "a command that the user accepts", answered("accept", { model: [OUT, DONE] })),
  differential(
    "asked.decline",
    "a command that the user declines",
    answered("decline", { model: [OUT, DONE, DONE] }, ["one", "two"]),
  ),
  differential(
    "asked.cancel",
    "a command that the user cancels",
    answered("cancel", { model: [OUT, DONE] }, ["one", "two"]),
  ),
  differential(
    "asked.session",
    "a command that the user accepts for the session",
    answered("acceptForSession", { model: [OUT, OUT, DONE, OUT, DONE] }, ["one", "two"]),
  ),
  differential(
    "asked.prefix",
    "a command with a prefix rule",
    answered("accept", {
      model: [
        exec("git status --short", { justification: "may I?", args: { prefix_rule: ["git", "status"] } }),
        DONE,
      ],
    }),
  ),
  differential("asked.amendment", "a command whose prefix the user accepts for ever", () =>
    steps(
      {
        model: [
          exec("touch amended", { justification: "may I?" }),
          exec("touch amended", { justification: "may I?" }),
          DONE,
        ],
        approvalPolicy: "on-request",
        sandbox: "read-only",
      },
      async (codex) => {
        codex.onServerRequest("item/commandExecution/requestApproval", () => ({
          decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "amended"] } },
        }));
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "asked.two",
    "two commands of one response that ask",
    answered("accept", { model: [[OUT, exec("sleep 0.4; echo two", { justification: "and this?" })], DONE] }),
  ),
  differential(
    "asked.never",
    "a command that wants out under the policy never",
    turns({ model: [OUT, DONE] }),
  ),
  differential(
    "asked.full-access",
    "a command that wants out without a sandbox",
    answered("accept", { model: [OUT, DONE], sandbox: "danger-full-access" }),
  ),
  differential(
    "asked.untrusted",
    "commands under the policy untrusted",
    untrusted("accept", [exec("sleep 0.4; ls"), exec("ls"), DONE]),
  ),
  differential(
    "asked.untrusted-decline",
    "a declined command under the policy untrusted",
    untrusted("decline", [exec("ls"), DONE]),
  ),
  differential(
    "asked.granular",
    "a policy that refuses what it would ask",
    untrusted("accept", [OUT, OUTSIDE, DONE], {
      granular: {
        sandbox_approval: false,
        rules: true,
        skill_approval: true,
        request_permissions: true,
        mcp_elicitations: true,
      },
    }),
  ),
  differential(
    "asked.rm",
    "a forced removal",
    answered("decline", { model: [exec("rm -rf sub"), exec("bash -c 'rm -rf sub'"), DONE] }),
  ),
  differential(
    "asked.rm-never",
    "a forced removal under the policy never",
    turns({ model: [exec("rm -rf sub"), DONE] }),
  ),
  differential(
    "denied.write",
    "a write that the sandbox denies, under on-request",
    answered("accept", { model: [exec("sleep 0.4; echo x > ../denied.txt"), DONE] }),
  ),
  differential(
    "denied.never",
    "a write that the sandbox denies, under never",
    turns({ model: [exec("sleep 0.4; echo x > ../denied.txt"), DONE] }),
  ),
  differential(
    "denied.read-only",
    "a write in a read-only sandbox",
    turns({ model: [exec("sleep 0.4; touch a.txt"), DONE], sandbox: "read-only" }),
  ),
  differential(
    "denied.git",
    "a write to .git in the workspace",
    steps({ model: [exec("sleep 0.4; touch .git/x"), DONE] }, async (codex, world) => {
      await codex.fs.createDirectory(`${world.workspace}/.git`);
      await run(await codex.startThread(), "go");
    }),
  ),
  differential(
    "denied.network",
    "a connection in a sandbox without network",
    turns({ model: [exec("sleep 0.4; bash -c 'echo > /dev/tcp/127.0.0.1/9' 2>&1 | sed 's/.*: //'"), DONE] }),
  ),
  differential(
    "allowed.shadow",
    "a file of the system that everyone may ask for",
    turns({ model: [exec("sleep 0.4; head -c 4 /etc/shadow | wc -c"), DONE] }),
  ),
  differential(
    "patch.inside",
    "a patch in the workspace, and one that changes it",
    turns({
      model: [
        PATCH,
        applyPatch("*** Update File: a.txt\n@@\n one\n-two\n+2\n three"),
        applyPatch("*** Delete File: a.txt"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.existing",
    "patches to files that existed before the turn",
    steps(
      {
        model: [
          applyPatch("*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: sub/b.txt\n@@\n-two\n+2"),
          applyPatch("*** Delete File: a.txt\n*** Add File: c.txt\n+three"),
          DONE,
        ],
      },
      async (codex, world) => {
        await codex.fs.createDirectory(`${world.workspace}/sub`);
        await codex.fs.writeFile(`${world.workspace}/a.txt`, "one\n");
        await codex.fs.writeFile(`${world.workspace}/sub/b.txt`, "two\n");
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "patch.move",
    "a patch that moves a file",
    turns({
      model: [
        PATCH,
        applyPatch("*** Update File: a.txt\n*** Move to: sub/b.txt\n@@\n one\n-two\n+2\n three"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.endings",
    "patches to files with other line breaks, at their ends, and with typographic marks",
    steps(
      {
        model: [
          applyPatch("*** Update File: dos.txt\n@@ one\n-two\n+2\n three\n*** End of File"),
          applyPatch(
            "*** Update File: mixed.txt\n*** Move to: moved.txt\n@@\n a\n+b\n*** Update File: dos.txt\n@@\n+4",
          ),
          applyPatch('*** Update File: quoted.txt\n@@\n   it\'s "so" - yes\n-x\n+y'),
          applyPatch("*** Update File: moved.txt\n@@\n-a\n-b\n-c"),
          DONE,
        ],
      },
      async (codex, world) => {
        await codex.fs.writeFile(`${world.workspace}/dos.txt`, "one\r\ntwo\r\nthree");
        await codex.fs.writeFile(`${world.workspace}/mixed.txt`, "a\nc");
        await codex.fs.writeFile(`${world.workspace}/quoted.txt`, "it’s “so” – yes  \nx\n");
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "patch.lone-cr",
    "a patch to a file with a carriage return in a line",
    steps({ model: [applyPatch("*** Update File: mac.txt\n@@\n-three\n+3"), DONE] }, async (codex, world) => {
      await codex.fs.writeFile(`${world.workspace}/mac.txt`, "one\rtwo\nthree\n");
      await run(await codex.startThread(), "go");
    }),
  ),
  differential(
    "patch.anchors",
    "a patch with two lines to search for, one after the other",
    turns({
      model: [
        PATCH,
        applyPatch("*** Update File: a.txt\n@@ one\n@@ two\n-three\n+3"),
        exec("sleep 0.4; cat a.txt"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.twice",
    "a patch with two parts for one file",
    turns({
      model: [
        PATCH,
        applyPatch("*** Update File: a.txt\n@@\n-two\n+2\n*** Update File: a.txt\n@@\n-three\n+3"),
        exec("sleep 0.4; cat a.txt"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.itself",
    "a patch that moves a file to its own place",
    turns({
      model: [
        PATCH,
        applyPatch("*** Update File: a.txt\n*** Move to: a.txt\n@@\n-two\n+2"),
        exec("sleep 0.4; cat a.txt"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.bytes",
    "a patch that removes a file that is not text",
    steps(
      { model: [applyPatch("*** Delete File: bytes"), exec("sleep 0.4; ls"), DONE] },
      async (codex, world) => {
        await codex.fs.writeFile(`${world.workspace}/bytes`, Buffer.from([255, 254, 0]));
        await run(await codex.startThread(), "go");
      },
    ),
  ),
  differential(
    "patch.wrong",
    "patches that do not apply",
    turns({
      model: [
        applyPatch("*** Update File: missing.txt\n@@\n-a\n+b"),
        PATCH,
        applyPatch("*** Update File: a.txt\n@@\n-nowhere\n+b"),
        exec("apply_patch 'not a patch'"),
        applyPatch(""),
        applyPatch("*** Update File: a.txt"),
        applyPatch("*** Environment ID: other\n*** Add File: b.txt\n+b"),
        applyPatch("*** Delete File: missing.txt"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.outside-accept",
    "a patch outside of the workspace that the user accepts",
    answered("accept", { model: [OUTSIDE, DONE] }),
  ),
  differential(
    "patch.outside-decline",
    "a patch outside of the workspace that the user declines",
    answered("decline", { model: [OUTSIDE, DONE] }),
  ),
  differential(
    "patch.outside-never",
    "a patch outside of the workspace under the policy never",
    turns({ model: [OUTSIDE, DONE] }),
  ),
  differential(
    "patch.session",
    "a patch that the user accepts for the session",
    answered("acceptForSession", {
      model: [PATCH, applyPatch("*** Update File: a.txt\n@@\n one\n-two\n+2\n three"), DONE],
      sandbox: "read-only",
    }),
  ),
  differential("patch.untrusted", "a patch under the policy untrusted", untrusted("accept", [PATCH, DONE])),
  differential(
    "patch.then-command",
    "a patch and commands on the same file",
    turns({
      model: [
        PATCH,
        exec("sleep 0.4; echo four >> a.txt; cat a.txt"),
        applyPatch("*** Update File: a.txt\n@@\n three\n+3.5\n four"),
        DONE,
      ],
    }),
  ),
  differential(
    "patch.in-command",
    "a patch in a command that does more",
    turns({
      model: [
        exec("cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch\nEOF"),
        DONE,
      ],
    }),
  ),
];
