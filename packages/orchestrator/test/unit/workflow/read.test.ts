import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { parseWorkflow, readWorkflow, WorkflowError } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { KINDS, TRACKER, workflowOf } from "./reading.ts";

const surroundings = { env: {}, kinds: KINDS };

function problemOf(run: () => unknown): Pick<WorkflowError, "code" | "message" | "place"> {
  try {
    run();
  } catch (error) {
    if (error instanceof WorkflowError) return error;
    throw error;
  }
  throw new Error("it did not throw");
}

describe("the parts of the file", () => {
  verifies("fleet.workflow.parts", "are front matter and prompt, whatever the line ends", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      for (const start of ["", "\uFEFF"]) {
        const lines = [
          "--- ",
          TRACKER,
          "hooks:",
          "  before_run: |",
          "    ---",
          "---\t",
          "",
          "  Work. ",
          "---",
          "",
        ];
        const workflow = parseWorkflow(start + lines.join(end), "/repo/WORKFLOW.md", surroundings);
        expect(workflow.promptTemplate).toBe("Work. \n---");
        expect(workflow.promptStart).toEqual({ line: 8, column: 3 });
        expect(workflow.settings.hooks.beforeRun).toBe("---\n");
      }
    }
  });

  verifies("fleet.workflow.parts", "a front matter without an end is all YAML, with a warning", () => {
    const workflow = parseWorkflow(`---\n${TRACKER}`, "/repo/WORKFLOW.md", surroundings);
    expect(workflow.promptTemplate).toBe("");
    expect(workflow.warnings).toEqual(["the front matter has no end: no line `---` follows it"]);
  });

  verifies("fleet.workflow.parts", "without front matter the file is the prompt, and needs a tracker", () => {
    for (const text of [
      "Work.",
      "",
      "----\nWork.",
      " ---\nWork.",
      "---\n---\nWork.",
      "---\n# nothing\n---\nWork.",
    ]) {
      const problem = problemOf(() => parseWorkflow(text, "/repo/WORKFLOW.md", surroundings));
      expect(problem.code).toBe("workflow_invalid");
      expect(problem.message).toContain("tracker.kind is required");
    }
  });
});

describe("errors", () => {
  verifies(
    ["fleet.workflow.errors", "fleet.workflow.yaml", "symphony.17.1.yaml", "symphony.17.1.not-a-map"],
    "have the place in the file",
    () => {
      const cases = [
        ["a: 1\nb:\n  - c: [1,\n", "workflow_parse_error", 5, 1],
        ["a: 1\na: 2", "workflow_parse_error", 3, 1],
        ["a:\n  b: { c: 1, c: 2 }", "workflow_parse_error", 3, 14],
        ["a: *x", "workflow_parse_error", 2, 4],
        ["a: &x [*x]", "workflow_parse_error", 2, 8],
        ["a: .inf", "workflow_parse_error", 2, 4],
        ["a: !!set { b }", "workflow_parse_error", 2, 4],
        ["a: !js/function x", "workflow_parse_error", 2, 4],
        ["? [a]\n: 1", "workflow_parse_error", 2, 3],
        ["a: 1\n...\nb: 1", "workflow_parse_error", 4, 1],
        ["a:\n\tb: 1", "workflow_parse_error", 3, 1],
        ["- a", "workflow_front_matter_not_a_map", 2, 1],
        ["\n\n  text", "workflow_front_matter_not_a_map", 4, 3],
        [`${TRACKER}\npolling:\n  interval_ms: soon`, "workflow_invalid", 4, 16],
      ] as const;
      for (const [yaml, code, line, column] of cases) {
        const problem = problemOf(() => workflowOf(yaml));
        expect([yaml, problem.code, problem.place]).toEqual([yaml, code, { line, column }]);
        expect(problem.message).toContain(`line ${line}, column ${column}: `);
      }
    },
  );

  verifies(["fleet.workflow.errors", "symphony.17.1.kind"], "list all problems of the settings", () => {
    const yaml = [
      "tracker: { kind: toy2, active_states: [], required_labels: codex }",
      "polling: []",
      "agent: { max_turns: 0, on_question: ask, max_concurrent_agents: -1 }",
      "hooks: { timeout_ms: 0, before_run: [x] }",
      "codex: { command: '' }",
      "budget: { issue_tokens: lots }",
      "server: { port: 65536 }",
      "database: { lease_ms: 9999, url: $MISSING }",
      "workspace: { root: $MISSING/x }",
    ].join("\n");
    const { message } = problemOf(() => workflowOf(yaml));
    expect(message.split("\n").map((line) => /: (\S+) /.exec(line)?.[1])).toEqual([
      "tracker.required_labels",
      "tracker.active_states",
      "polling",
      "workspace.root",
      "hooks.before_run",
      "hooks.timeout_ms",
      "agent.max_concurrent_agents",
      "agent.max_turns",
      "agent.on_question",
      "codex.command",
      "budget.issue_tokens",
      "database.url",
      "database.lease_ms",
      "server.port",
      "tracker.kind",
    ]);
    expect(message).toContain("tracker.kind must be one of toy, bare; did you mean toy?");
  });

  verifies(
    ["fleet.workflow.errors", "symphony.17.1.missing", "symphony.17.1.path-given"],
    "tell a file that cannot be read",
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), "codexwright-workflow-"));
      const file = (name: string): string => path.join(folder, name);
      await writeFile(file("good"), `---\n${TRACKER}\n---\nWork.`);
      await writeFile(file("large"), "x".repeat(10_000_000));
      await writeFile(file("bytes"), Buffer.from([0x2d, 0xff, 0xfe]));
      execFileSync("mkfifo", [file("pipe")]);
      const good = await readWorkflow(file("good"), surroundings);
      expect(good).toMatchObject({ workflow: { path: file("good") }, text: `---\n${TRACKER}\n---\nWork.` });
      for (const [name, code] of [
        ["absent", "missing_workflow_file"],
        ["pipe", "missing_workflow_file"],
        [".", "missing_workflow_file"],
        ["large", "workflow_parse_error"],
        ["bytes", "workflow_parse_error"],
      ] as const) {
        await expect(readWorkflow(file(name), surroundings)).rejects.toMatchObject({ code });
      }
      await rm(folder, { recursive: true });
    },
  );
});

verifies("fleet.workflow.version", "the version changes with any change of the text", () => {
  const versions = ["", " ", "x", "\r"].map((prompt) => workflowOf(TRACKER, {}, prompt).version);
  expect(new Set(versions).size).toBe(4);
  expect(workflowOf(TRACKER).version).toBe(versions[0]);
  expect(workflowOf(TRACKER, { TOY_TOKEN: "other" }).version).toBe(versions[0]);
});
