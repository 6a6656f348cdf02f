import { parseWorkflow, type TrackerKind, type Workflow } from "@codexwright/orchestrator/internal";

/** A tracker with a required key, a secret, and defaults for its states. */
export const TOY: TrackerKind = {
  profile: {
    kind: "toy",
    summary: "a toy",
    keys: [
      { key: "project", what: "the project", required: true },
      { key: "token", what: "the token", required: false, secret: true, env: "TOY_TOKEN" },
    ],
    activeStates: ["Todo"],
    terminalStates: ["Done"],
    notes: { scope: "", paging: "", identity: "", normalization: "", errors: "" },
    tools: [],
  },
  check: (provider) => (provider["project"] === undefined ? ["project is required"] : []),
  open: () => Promise.reject(new Error("not here")),
};

/** A tracker without default states. */
const BARE: TrackerKind = {
  ...TOY,
  profile: { ...TOY.profile, kind: "bare", activeStates: undefined, terminalStates: undefined },
};

export const KINDS: readonly TrackerKind[] = [TOY, BARE];

/** Checks front matter, and a prompt. */
export function workflowOf(
  frontMatter: string,
  env: Readonly<Record<string, string>> = {},
  prompt = "",
): Workflow {
  return parseWorkflow(`---\n${frontMatter}\n---\n${prompt}`, "/repo/WORKFLOW.md", {
    env: { HOME: "/home/me", ...env },
    kinds: KINDS,
  });
}

/** The front matter that every test needs. */
export const TRACKER = "tracker: { kind: toy, provider: { project: p } }";
