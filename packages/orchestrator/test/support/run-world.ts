import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Tool } from "codexwright";
import { findCodex, ServerLease } from "codexwright/stdio";
import { realAppServer, scriptedModel, type ModelScript } from "@codexwright/testing";
import {
  issueRunner,
  NO_TOKENS,
  type Answered,
  type ClaimFacts,
  type Issue,
  type Json,
  type NewFleetEvent,
  type Outcome,
  type RunControl,
  type RunObserver,
  type RunTotals,
  type Settings,
  type Tokens,
  type Tracker,
} from "@codexwright/orchestrator/internal";
import { issueWith, settingsWith } from "../unit/policy/world.ts";

export interface RunSession {
  readonly threadId: string;
  readonly turnId: string | null;
}

/** The differences from an ordinary run. */
export interface RunChanges {
  readonly issue?: Partial<Issue>;
  readonly claim?: Partial<ClaimFacts>;
  readonly agent?: Partial<Settings["agent"]>;
  readonly codex?: Partial<Settings["codex"]>;
  readonly hooks?: Partial<Settings["hooks"]>;
  readonly budget?: Partial<Settings["budget"]>;
  readonly prompt?: string;
  readonly answered?: Answered | null;
  readonly tools?: readonly Tool[] | ((issue: Issue) => readonly Tool[]);
  readonly secretEnv?: readonly string[];
  readonly dayTokensLeft?: () => number | null;
  readonly holds?: () => boolean;
  /** Called after each refresh of the issue: the state that the next refresh returns, or null for "gone". */
  readonly states?: (refreshes: number) => string | null | Error;
  readonly signal?: AbortSignal;
  readonly drain?: AbortSignal;
  readonly lease?: ServerLease;
  readonly heard?: (event: string) => void;
  readonly session?: (session: RunSession) => void;
  readonly silence?: (ms: number) => void;
}

/** The result of a run, with everything that was observed. */
export interface ObservedRun {
  readonly outcome: Outcome;
  readonly totals: RunTotals;
  readonly phases: readonly string[];
  readonly events: readonly NewFleetEvent[];
  readonly sessions: readonly RunSession[];
  readonly heard: readonly string[];
  /** The short texts about events, for people. */
  readonly messages: readonly string[];
  readonly rateLimits: readonly Json[];
  readonly tokens: Tokens;
  readonly serverPid: number | null;
  readonly refreshes: number;
}

/** The folders of a run, and the command of its app-server. */
export interface RunPlace {
  /** The folder of WORKFLOW.md. */
  readonly folder: string;
  /** The root of the workspaces. */
  readonly root: string;
  readonly stateFolder: string;
  readonly command: string;
}

/** Does a run of an issue, on whatever app-server the command starts. */
export async function runWith(
  { folder, root, stateFolder, command }: RunPlace,
  changes: RunChanges = {},
): Promise<ObservedRun> {
  const issue = issueWith(changes.issue ?? {});
  const settings = settingsOf(changes, root, command);
  const tracker = trackerOf(issue, changes);
  const seen = observer(changes);
  const lease = changes.lease ?? new ServerLease(600_000);
  const control: RunControl = {
    signal: changes.signal ?? new AbortController().signal,
    drain: changes.drain ?? new AbortController().signal,
    dayTokensLeft: changes.dayTokensLeft ?? (() => null),
    holds: () => Promise.resolve(changes.holds?.() ?? true),
    lease,
  };
  const runner = issueRunner({
    clean: (text) => text.replaceAll("s3cr3t-value", "[secret]"),
    hookOutput: (_, hook, output) => seen.heard.push(`${hook}: ${output}`),
  });
  const { outcome, totals } = await runner(
    {
      runId: "run-1",
      claim: { ...CLAIM, issueId: issue.id, issue, ...changes.claim },
      workflow: {
        version: "v1",
        path: path.join(folder, "WORKFLOW.md"),
        settings,
        config: {},
        promptTemplate: changes.prompt ?? "Work on {{ issue.identifier }}: {{ issue.title }}",
        promptStart: { line: 1, column: 1 },
        warnings: [],
      },
      tracker: tracker.tracker,
      answered: changes.answered ?? null,
      stateFolder,
      secretEnv: changes.secretEnv ?? [],
    },
    control,
    seen.observer,
  );
  return {
    outcome,
    totals,
    refreshes: tracker.refreshes(),
    ...seen,
    tokens: seen.tokens(),
    serverPid: seen.pid(),
  };
}

/** A world with a scripted model and the real Codex, in which runs of issues can be done. */
export async function runWorld(
  script: ModelScript,
  options: { readonly approvalPolicy?: "never" | "on-request" | "untrusted"; readonly config?: string } = {},
) {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model, ...options });
  const root = path.join(server.root, "workspaces");
  const stateFolder = path.join(server.root, "state");
  const { codexPath, env } = server.clientOptions;
  const found = findCodex({ codexPath });
  const tools = found.toolsPath === undefined ? "" : `export PATH='${found.toolsPath}':"$PATH";`;
  const codex = `'${found.command}' app-server`;
  const commandWith = (program: string): string => `${shellEnvironment(env)} ${tools} exec ${program}`;
  const command = commandWith(codex);
  const run = async (changes: RunChanges = {}): Promise<ObservedRun> =>
    await runWith({ folder: server.root, root, stateFolder, command }, changes);
  const dispose = async (): Promise<void> => {
    await server.close();
    await model.close();
  };
  return {
    model,
    server,
    root,
    stateFolder,
    run,
    /** A command that starts this program with the variables of the world. */
    commandWith,
    /** The program of the world's Codex, for `commandWith`. */
    codex,
    workspaces: async () => (await readdir(root).catch(() => [])).filter((name) => !name.startsWith(".")),
    [Symbol.asyncDispose]: dispose,
  };
}

const CLAIM: Omit<ClaimFacts, "issueId" | "issue"> = {
  attempt: null,
  retryKind: null,
  lastError: null,
  failures: 0,
  sessions: 0,
  spent: NO_TOKENS,
  host: null,
  workspacePath: null,
  threadId: null,
  claimedAt: "2026-05-01T10:00:00.000Z",
};

/** The variables of the world, as shell text. The runner sets TMPDIR itself. */
function shellEnvironment(env: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(env)
    .filter(([name]) => !["TMPDIR", "TEMP", "TMP"].includes(name))
    .map(([name, value]) => (value === undefined ? `unset ${name};` : `export ${name}='${value}';`));
  return lines.join(" ");
}

function settingsOf(changes: RunChanges, root: string, command: string): Settings {
  const settings = settingsWith({
    ...(changes.agent && { agent: changes.agent }),
    budget: { issueTokens: 1_000_000, dayTokens: null, ...changes.budget },
  });
  return {
    ...settings,
    workspace: { root },
    hooks: { ...settings.hooks, ...changes.hooks },
    // The first answer of a real server can take long on a loaded machine.
    codex: { ...settings.codex, command, readTimeoutMs: 60_000, ...changes.codex },
  };
}

function trackerOf(issue: Issue, { states, tools = [] }: RunChanges) {
  let count = 0;
  const tracker: Pick<Tracker, "byIds" | "tools"> = {
    byIds: async () => {
      const state = states ? states(count++) : count++ === 0 ? issue.state : "Done";
      if (state instanceof Error) return await Promise.reject(state);
      return new Map(state === null ? [] : [[issue.id, { ...issue, state }]]);
    },
    tools: (asked) => (typeof tools === "function" ? tools(asked) : tools),
  };
  return { tracker: tracker as Tracker, refreshes: () => count };
}

function observer(changes: RunChanges) {
  const phases: string[] = [];
  const events: NewFleetEvent[] = [];
  const sessions: RunSession[] = [];
  const heard: string[] = [];
  const messages: string[] = [];
  const rateLimits: Json[] = [];
  let tokens = NO_TOKENS;
  let pid: number | null = null;
  const seen: RunObserver = {
    phase: (phase) => void phases.push(phase),
    server: (server) => (pid = server.pid),
    session: ({ threadId, turnId }) => {
      sessions.push({ threadId, turnId });
      changes.session?.({ threadId, turnId });
    },
    heard: (event, message) => {
      heard.push(event);
      if (message !== null) messages.push(`${event}: ${message}`);
      changes.heard?.(event);
    },
    silence: (ms) => changes.silence?.(ms),
    tokens: (now) => (tokens = now),
    model: () => {},
    rateLimits: (limits) => void rateLimits.push(limits),
    workspace: () => {},
    event: (event) => void events.push(event),
  };
  return {
    phases,
    events,
    sessions,
    heard,
    messages,
    rateLimits,
    observer: seen,
    tokens: () => tokens,
    pid: () => pid,
  };
}
