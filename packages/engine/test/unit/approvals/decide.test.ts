import { expect } from "vitest";
import { amendmentFor, decideCommand, isForcedRemoval, type CommandCase } from "@codexwright/engine/internal";
import type { AskForApproval, SandboxPolicy } from "codexwright/protocol";
import { verifies } from "@codexwright/test-support/verifies";

const GRANULAR = { skill_approval: false, request_permissions: false, mcp_elicitations: false };
const POLICIES = {
  never: "never",
  "on-request": "on-request",
  untrusted: "untrusted",
  "granular all": { granular: { ...GRANULAR, sandbox_approval: true, rules: true } },
  "granular none": { granular: { ...GRANULAR, sandbox_approval: false, rules: false } },
  "granular rules": { granular: { ...GRANULAR, sandbox_approval: false, rules: true } },
} as const satisfies Record<string, AskForApproval>;

const SANDBOXES = {
  "read-only": { type: "readOnly" },
  workspace: { type: "workspaceWrite" },
  full: { type: "dangerFullAccess" },
  external: { type: "externalSandbox" },
} as const satisfies Record<string, SandboxPolicy>;

const MISSING = { ready: false, why: "bwrap is not installed" } as const;

const KINDS = {
  plain: {},
  escalated: { escalated: true },
  forced: { forced: true },
  allowed: { rule: { decision: "allow" } },
  prompted: { rule: { decision: "prompt" } },
  "prompted and escalated": { rule: { decision: "prompt" }, escalated: true },
  forbidden: { rule: { decision: "forbidden" } },
  missing: { status: MISSING },
  "missing, allowed": { status: MISSING, rule: { decision: "allow" } },
} as const satisfies Record<string, Partial<CommandCase>>;

/** in = runs confined, out = runs outside, ask in / ask out = how it runs once accepted, no = refused. */
const LIMITED: Readonly<Record<keyof typeof KINDS, string>> = {
  //                          never | on-request | untrusted | granular all | granular none | granular rules
  plain: "                    in    | in         | ask in    | in           | in            | in",
  escalated: "                no    | ask out    | ask out   | ask out      | no            | no",
  forced: "                   no    | ask in     | ask in    | ask in       | no            | no",
  allowed: "                  out   | out        | out       | out          | out           | out",
  prompted: "                 no    | ask in     | ask in    | ask in       | no            | ask in",
  "prompted and escalated": " no    | ask out    | ask out   | ask out      | no            | no",
  forbidden: "                no    | no         | no        | no           | no            | no",
  missing: "                  no    | ask out    | ask out   | ask out      | no            | no",
  "missing, allowed": "       out   | out        | out       | out          | out           | out",
};
const FULL: Readonly<Record<keyof typeof KINDS, string>> = {
  plain: "                    out   | out        | ask out   | out          | out           | out",
  escalated: "                out   | out        | ask out   | out          | out           | out",
  forced: "                   no    | ask out    | ask out   | ask out      | no            | no",
  allowed: "                  out   | out        | out       | out          | out           | out",
  prompted: "                 no    | ask out    | ask out   | ask out      | no            | ask out",
  "prompted and escalated": " no    | ask out    | ask out   | ask out      | no            | ask out",
  forbidden: "                no    | no         | no        | no           | no            | no",
  missing: "                  out   | out        | ask out   | out          | out           | out",
  "missing, allowed": "       out   | out        | out       | out          | out           | out",
};

const BASE: Omit<CommandCase, "policy" | "sandbox"> = {
  status: { ready: true },
  escalated: false,
  rule: undefined,
  forced: false,
  granted: () => false,
};

function shown(command: CommandCase): string {
  const decision = decideCommand(command);
  if (decision.act === "refuse") return "no";
  const way = decision.confined ? "in" : "out";
  return decision.act === "run" ? way : `ask ${way}`;
}

verifies("engine.approvals.matrix", "decides every cell of the matrix", () => {
  for (const [name, sandbox] of Object.entries(SANDBOXES)) {
    const table = name === "full" || name === "external" ? FULL : LIMITED;
    for (const [kind, more] of Object.entries(KINDS)) {
      const expected = table[kind as keyof typeof KINDS].split("|").map((cell) => cell.trim());
      const actual = Object.values(POLICIES).map((policy) => shown({ ...BASE, policy, sandbox, ...more }));
      expect({ name, kind, cells: actual }).toEqual({ name, kind, cells: expected });
    }
  }
});

verifies("engine.approvals.no-sandbox", "asks instead of running bare, and says why", () => {
  const base = { ...BASE, sandbox: SANDBOXES.workspace, status: MISSING };
  expect(decideCommand({ ...base, policy: "on-request" })).toMatchObject({
    act: "ask",
    confined: false,
    why: expect.stringContaining(MISSING.why),
  });
  expect(decideCommand({ ...base, policy: "never" })).toMatchObject({
    act: "refuse",
    text: expect.stringContaining(MISSING.why),
  });
  // A grant of a confined run does not grant a run without a sandbox.
  const granted = (confined: boolean): boolean => confined;
  expect(shown({ ...base, policy: "on-request", granted })).toBe("ask out");
  expect(shown({ ...base, policy: "on-request", granted: (confined) => !confined })).toBe("out");
});

verifies(
  "engine.approvals.session",
  "a grant holds only for the way in which the command was accepted",
  () => {
    const base = { ...BASE, sandbox: SANDBOXES.workspace, granted: (confined: boolean) => confined };
    expect(shown({ ...base, policy: "untrusted" })).toBe("in");
    expect(shown({ ...base, policy: "untrusted", escalated: true })).toBe("ask out");
    expect(shown({ ...base, policy: "untrusted", rule: { decision: "forbidden" } })).toBe("no");
  },
);

verifies("engine.approvals.forced-removal", "finds a forced rm behind other programs", () => {
  const forced = [
    "rm -f x",
    "rm -rf x",
    "rm -r -f x",
    "rm --force x",
    "/bin/rm -Rf x",
    "sudo rm -fr x",
    "sudo -u root rm -f x",
    "env A=1 rm -f x",
    "timeout 5 nice -n 3 rm -f x",
    "xargs rm -f",
  ];
  for (const text of forced) expect([text, isForcedRemoval(text.split(" "))]).toEqual([text, true]);
  expect(isForcedRemoval(["bash", "-lc", "ls && rm -f x"])).toBe(true);
  expect(isForcedRemoval(["sudo", "sh", "-c", "rm -rf x"])).toBe(true);
  // The search takes time in proportion to the words.
  const long = Array.from({ length: 20_000 }, (_, n) => ["sudo", "env", "rm", "bash"][n % 4] ?? "");
  const began = performance.now();
  for (const words of [long, ["sudo", ...long], [...long, "-f"]]) isForcedRemoval(words);
  expect(performance.now() - began).toBeLessThan(1_000);
  for (const text of ["rm x", "rm -r x", "ls -f", "echo rm -f", "git rm --cached x", "rm -i x"]) {
    expect([text, isForcedRemoval(text.split(" "))]).toEqual([text, false]);
  }
});

verifies(
  "engine.approvals.amendment",
  "offers a rule only for one plain command of a harmless program",
  () => {
    const offered = (plain: boolean, ...commands: string[]): string[] | undefined =>
      amendmentFor(
        { plain, commands: commands.map((text) => ({ words: text.split(" ") })), problems: [] },
        undefined,
      );
    expect(offered(true, "touch a.txt")).toEqual(["touch", "a.txt"]);
    for (const no of [
      "bash -c x",
      "python3 x.py",
      "python3.12 x",
      "/usr/bin/env x",
      "sudo x",
      "node -e 1",
      "git",
    ]) {
      expect([no, offered(true, no)]).toEqual([no, undefined]);
    }
    expect(offered(true, "git status", "rm x")).toBeUndefined();
    expect(offered(false, "git status")).toBeUndefined();
    const push = { plain: true, commands: [{ words: ["git", "push", "origin"] }], problems: [] };
    expect(amendmentFor(push, ["git", "push"])).toEqual(["git", "push"]);
    expect(amendmentFor(push, ["git"])).toEqual(["git", "push", "origin"]);
    expect(amendmentFor(push, ["git", "pull"])).toEqual(["git", "push", "origin"]);
  },
);
