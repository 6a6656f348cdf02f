import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { parseWorkflow, renderPrompt } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { issueWith } from "../policy/world.ts";
import { TOY, TRACKER, workflowOf } from "./reading.ts";

describe("defaults", () => {
  verifies(
    ["fleet.workflow.defaults", "symphony.17.1.defaults"],
    "are those of SPEC.md, also for keys without a value",
    () => {
      const sections = "polling workspace hooks agent codex budget database worker server".split(" ");
      const empty = sections.map((section) => `${section}:`).join("\n");
      const nulls = "agent: { max_turns: null, max_attempts: ~ }\ncodex: { command: }";
      for (const yaml of [TRACKER, `${TRACKER}\n${empty}`, `${TRACKER}\n${nulls}`]) {
        expect(workflowOf(yaml)).toMatchObject({
          warnings: [],
          settings: {
            tracker: {
              kind: "toy",
              provider: { project: "p" },
              requiredLabels: [],
              activeStates: ["Todo"],
              terminalStates: ["Done"],
            },
            polling: { intervalMs: 30_000 },
            workspace: { root: path.join(tmpdir(), "symphony_workspaces") },
            hooks: {
              afterCreate: null,
              beforeRun: null,
              afterRun: null,
              beforeRemove: null,
              timeoutMs: 60_000,
            },
            agent: {
              maxConcurrentAgents: 10,
              maxTurns: 20,
              maxRetryBackoffMs: 300_000,
              maxConcurrentAgentsByState: {},
              maxAttempts: 10,
              maxSessions: 10,
              onQuestion: "block",
              sessionLimitMs: 21_600_000,
            },
            codex: {
              command: "codex app-server",
              approvalPolicy: "never",
              threadSandbox: "workspace-write",
              turnSandboxPolicy: null,
              turnTimeoutMs: 3_600_000,
              readTimeoutMs: 5000,
              stallTimeoutMs: 300_000,
            },
            budget: { issueTokens: 10_000_000, dayTokens: 100_000_000 },
            database: { url: null, leaseMs: 30_000 },
            worker: { slots: 10, sshHosts: [], maxConcurrentAgentsPerHost: null },
            server: { port: null, host: "127.0.0.1" },
          },
        });
      }
    },
  );

  verifies("fleet.workflow.defaults", "of the slots depend on the other settings", () => {
    const slots = (yaml: string): number =>
      workflowOf(`${TRACKER}\n${yaml}`, { DB: "postgres://db" }).settings.worker.slots;
    expect(slots("agent: { max_concurrent_agents: 3 }")).toBe(3);
    expect(slots("agent: { max_concurrent_agents: 3 }\ndatabase: { url: $DB }")).toBe(5);
    expect(slots("worker: { slots: 7 }")).toBe(7);
  });

  verifies("fleet.workflow.defaults", "of the states are required if the tracker has none", () => {
    const bare = "tracker: { kind: bare, provider: { project: p }, active_states: [Open]";
    expect(() => workflowOf(`${bare} }`)).toThrow("line 2, column 1: tracker.terminal_states is required");
    expect(workflowOf(`${bare}, terminal_states: [Closed, 3] }`).settings.tracker).toMatchObject({
      activeStates: ["Open"],
      terminalStates: ["Closed", "3"],
    });
  });
});

describe("values", () => {
  verifies("fleet.workflow.types", "are coerced where their meaning is clear", () => {
    const { settings } = workflowOf(
      [
        TRACKER,
        'agent: { max_turns: "3", max_concurrent_agents: 0 }',
        "hooks: { before_run: '  ', after_run: 'echo' }",
        "codex: { stall_timeout_ms: -1, turn_sandbox_policy: { type: readOnly, x: [1] }, approval_policy: null }",
        "budget: { issue_tokens: null, day_tokens: }",
      ].join("\n"),
    );
    expect(settings).toMatchObject({
      agent: { maxTurns: 3, maxConcurrentAgents: 0 },
      hooks: { beforeRun: null, afterRun: "echo" },
      codex: {
        stallTimeoutMs: null,
        turnSandboxPolicy: { type: "readOnly", x: [1] },
        approvalPolicy: "never",
      },
      budget: { issueTokens: null, dayTokens: null },
    });
    const granular = workflowOf(`${TRACKER}\ncodex: { approval_policy: { granular: { rules: true } } }`);
    expect(granular.settings.codex.approvalPolicy).toEqual({ granular: { rules: true } });
    for (const [key, value] of [
      ["approval_policy", "sometimes"],
      ["approval_policy", "[never]"],
      ["thread_sandbox", "workspaceWrite"],
      ["thread_sandbox", "{}"],
      ["turn_sandbox_policy", "read-only"],
    ] as const) {
      expect(() => workflowOf(`${TRACKER}\ncodex: { ${key}: ${value} }`)).toThrow(`codex.${key} must be `);
    }
    for (const value of ["1.5", "1e99", "true", "[1]", "{}", '"1x"', "-1", "99999999999"]) {
      expect(() => workflowOf(`${TRACKER}\npolling: { interval_ms: ${value} }`)).toThrow(
        "line 3, column 25: polling.interval_ms must be milliseconds from 100 to 2147483647",
      );
    }
  });

  verifies(
    ["fleet.workflow.by-state", "symphony.17.1.by-state"],
    "limits of states are found without case, and bad ones ignored",
    () => {
      const yaml = `${TRACKER}\nagent:\n  max_concurrent_agents_by_state: { " In Progress ": 2, a: 0, b: x, __proto__: 4, c: [] }`;
      const { settings, warnings } = workflowOf(yaml);
      expect(Object.entries(settings.agent.maxConcurrentAgentsByState)).toEqual([
        ["in progress", 2],
        ["__proto__", 4],
      ]);
      expect(warnings).toHaveLength(3);
    },
  );

  verifies(
    ["fleet.workflow.labels", "symphony.17.4.labels"],
    "labels are normalized, and a blank one stays",
    () => {
      const { settings, warnings } = workflowOf(
        "tracker: { kind: toy, provider: { project: p }, required_labels: [' Codex ', CODEX, '', 7] }",
      );
      expect(settings.tracker.requiredLabels).toEqual(["codex", "", "7"]);
      expect(warnings).toEqual(["line 2: tracker.required_labels has a blank label, which no issue has"]);
    },
  );

  verifies(
    "fleet.workflow.unknown",
    "unknown keys are kept, with a warning that has the nearest name",
    () => {
      const yaml = `${TRACKER}\npoling: { x: 1 }\nagent: { max_turn: 3, colour: red }\n__proto__: { a: 1 }`;
      const { config, settings, warnings } = workflowOf(yaml);
      expect(config).toMatchObject({ poling: { x: 1 }, agent: { max_turn: 3, colour: "red" } });
      expect(Object.hasOwn(config, "__proto__")).toBe(true);
      expect(settings.agent.maxTurns).toBe(20);
      expect(warnings).toEqual([
        "line 4: the key agent.max_turn is unknown; did you mean agent.max_turns?",
        "line 4: the key agent.colour is unknown",
        "line 3: the key poling is unknown; did you mean polling?",
        "line 5: the key __proto__ is unknown",
      ]);
      const many = Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join("\n");
      expect(workflowOf(`${TRACKER}\n${many}`).warnings.at(-1)).toBe("and 480 more");
    },
  );
});

describe("variables", () => {
  verifies(
    ["fleet.workflow.variables", "symphony.17.1.variables", "symphony.17.1.command"],
    "are resolved where they are documented, and nowhere else",
    () => {
      const env = {
        TOKEN: "t0ken",
        DIR: "/data",
        DB: "postgres://db/x",
        TRACKER_KIND: "bare",
        HOME: "/home/me",
      };
      const { settings, config } = workflowOf(
        [
          "tracker: { kind: toy, provider: { project: p, token: $TOKEN, other: $TOKEN, url: 'https://x/$TOKEN' } }",
          "workspace: { root: $DIR/a/$DIR }",
          "database: { url: $DB }",
          "codex: { command: $TOKEN }",
          "hooks: { before_run: echo $TOKEN }",
        ].join("\n"),
        env,
      );
      expect(settings).toMatchObject({
        tracker: { provider: { token: "t0ken", other: "$TOKEN", url: "https://x/$TOKEN" } },
        workspace: { root: "/data/a/data" },
        database: { url: "postgres://db/x" },
        codex: { command: "$TOKEN" },
        hooks: { beforeRun: "echo $TOKEN" },
      });
      expect(config).toMatchObject({ tracker: { provider: { token: "$TOKEN" } } });
      expect(JSON.stringify(config)).not.toContain("t0ken");
      // Only exactly `$NAME`.
      const partly = workflowOf(
        "tracker: { kind: toy, provider: { project: 'x$TOKEN', token: '${TOKEN}' } }",
        env,
      );
      expect(partly.settings.tracker.provider).toEqual({ project: "x$TOKEN", token: "${TOKEN}" });
    },
  );

  verifies("fleet.workflow.variables", "that are empty are missing", () => {
    const yaml = "tracker: { kind: toy, provider: { project: $PROJECT, token: $EMPTY } }";
    expect(() => workflowOf(yaml, { EMPTY: "" })).toThrow(
      "line 2, column 44: tracker.provider: project is required",
    );
    const { settings, warnings } = workflowOf(yaml, { EMPTY: "", PROJECT: "p" });
    expect(settings.tracker.provider).toEqual({ project: "p" });
    expect(warnings).toEqual(["line 2: tracker.provider.token names the variable EMPTY, which is not set"]);
    for (const key of ["database: { url: $EMPTY }", "workspace: { root: $EMPTY/x }"]) {
      expect(() => workflowOf(`${TRACKER}\n${key}`, { EMPTY: "" })).toThrow(
        "the variable EMPTY, which is not set",
      );
    }
  });

  verifies(
    ["fleet.workflow.provider", "symphony.17.1.provider"],
    "keeps unknown keys and takes missing ones from the environment",
    () => {
      const yaml = "tracker: { kind: toy, provider: { project: p, extra: { a: [1] } } }";
      expect(workflowOf(yaml, { TOY_TOKEN: "t" }).settings.tracker.provider).toEqual({
        project: "p",
        extra: { a: [1] },
        token: "t",
      });
      expect(workflowOf(yaml, { TOY_TOKEN: "" }).settings.tracker.provider).toEqual({
        project: "p",
        extra: { a: [1] },
      });
      expect(() => workflowOf("tracker: { kind: toy, provider: [] }")).toThrow(
        "tracker.provider must be a map",
      );
      expect(() => workflowOf("tracker: { kind: toy }")).toThrow("tracker.provider: project is required");
    },
  );

  verifies(["fleet.workflow.paths", "symphony.17.1.home"], "the root of the workspaces is absolute", () => {
    const root = (value: string): string =>
      workflowOf(`${TRACKER}\nworkspace: { root: ${value} }`).settings.workspace.root;
    expect(root("work")).toBe("/repo/work");
    expect(root("../work/./x")).toBe("/work/x");
    // Without quotes, `~` alone is YAML's null.
    expect(root('"~"')).toBe("/home/me");
    expect(root("~/work")).toBe("/home/me/work");
    expect(root("~other/work")).toBe("/repo/~other/work");
    expect(root("/srv//work")).toBe("/srv/work");
  });
});

verifies("fleet.workflow.reference", "the example of the page about WORKFLOW.md is valid", async () => {
  const page = await readFile(
    path.join(import.meta.dirname, "../../../../../docs/guide/workflow-md.md"),
    "utf8",
  );
  const [, example = ""] = /```markdown\n([^]*?)```/.exec(page) ?? [];
  const folder = { ...TOY, profile: { ...TOY.profile, kind: "folder" }, check: () => [] };
  const workflow = parseWorkflow(example, "/repo/WORKFLOW.md", { env: {}, kinds: [folder] });
  expect(workflow.warnings).toEqual([]);
  const input = { attempt: 2, retry_kind: "failure", last_error: "no", workspace_kept: true } as const;
  expect(renderPrompt(workflow, { issue: issueWith({}), ...input })).toContain(
    "This is attempt 2. The last one failed: no",
  );
});
