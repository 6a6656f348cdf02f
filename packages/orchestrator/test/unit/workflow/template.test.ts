import { describe, expect } from "vitest";
import { renderPrompt, WorkflowError, type PromptInput } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { issueWith } from "../policy/world.ts";
import { TRACKER, workflowOf } from "./reading.ts";

const INPUT: PromptInput = {
  issue: issueWith({ labels: ["a", "b"], blocked_by: [{ id: "2", identifier: "ONE-2", state: null }] }),
  attempt: null,
  retry_kind: null,
  last_error: null,
  workspace_kept: false,
};

function rendered(template: string, input: PromptInput = INPUT): string {
  return renderPrompt(workflowOf(TRACKER, {}, template), input);
}

function failure(template: string): Pick<WorkflowError, "code" | "place" | "message"> {
  try {
    rendered(template);
  } catch (error) {
    if (error instanceof WorkflowError) return error;
    throw error;
  }
  throw new Error("it did not throw");
}

describe("a prompt", () => {
  verifies(["fleet.workflow.input", "symphony.17.1.render"], "has the issue and the facts of the run", () => {
    const template =
      "{{ issue.identifier }} {{ issue.labels | join: '+' }} {% for each in issue.blocked_by %}{{ each.identifier }}{% endfor %}" +
      "{% if attempt %} again {{ attempt }} {{ retry_kind }} {{ last_error }} {{ workspace_kept }}{% endif %}{{ issue.description }}";
    expect(rendered(template)).toBe("ONE-1 a+b ONE-2");
    const again = {
      ...INPUT,
      attempt: 2,
      retry_kind: "failure",
      last_error: "no",
      workspace_kept: true,
    } as const;
    expect(rendered(template, again)).toBe("ONE-1 a+b ONE-2 again 2 failure no true");
    for (const name of Object.keys(INPUT.issue))
      expect(() => rendered(`{% if issue.${name} %}{% endif %}`)).not.toThrow();
  });

  verifies("fleet.workflow.empty", "that is empty is a sentence", () => {
    expect(rendered(" \n")).toBe("You are working on an issue from the configured tracker.");
  });

  verifies(["fleet.workflow.strict", "symphony.17.1.strict"], "fails with the place in the file", () => {
    // The front matter of these tests has three lines.
    for (const [template, code, line, column, words] of [
      ["\nx\n  {{ issue.titel }}", "template_render_error", 6, 6, "undefined variable: issue.titel"],
      ["{{ nothing }}", "template_render_error", 4, 4, "undefined variable: nothing"],
      ["{{ nothing | default: 'x' }}", "template_render_error", 4, 4, "undefined variable"],
      ["  {{ issue.title | upcas }}", "template_render_error", 4, 3, "undefined filter: upcas"],
      ["\n\n {% if issue %}", "template_parse_error", 6, 2, "not closed"],
      ["{{ issue.title", "template_parse_error", 4, 1, "not closed"],
      ["{% nothing %}", "template_parse_error", 4, 1, 'tag "nothing" not found'],
      ["{% include 'x' %}", "template_render_error", 4, 1, "x"],
    ] as const) {
      const { code: found, place, message } = failure(template);
      expect([template, found, place]).toEqual([template, code, { line, column }]);
      expect(message).toContain(words);
      expect(message).toContain(`line ${line}, column ${column}: `);
    }
  });

  verifies("fleet.workflow.strict", "that cannot be parsed is only a warning when the file is read", () => {
    const workflow = workflowOf(TRACKER, {}, "{% if %}");
    expect(workflow.warnings).toEqual([expect.stringMatching(/^line 4, column \d+: the prompt: /)]);
  });
});

verifies("fleet.workflow.strict", "prints lists without separators, and refuses to print a map", () => {
  expect(rendered("{{ issue.labels }}")).toBe("ab");
  expect(failure("{{ issue }}")).toMatchObject({ code: "template_render_error" });
  expect(failure("{{ issue.blocked_by }}").message).toContain("a map cannot be printed");
});
