import path from "node:path";
import type { Json } from "../domain/json.ts";
import type { Settings } from "../domain/settings.ts";
import {
  choice,
  codexMap,
  either,
  integer,
  integerOrNull,
  labels,
  limitsByState,
  milliseconds,
  millisecondsOrOff,
  names,
  script,
  states,
  text,
  type Reading,
  type ValueType,
} from "./types.ts";
import { folderPath, secretUrl } from "./variables.ts";

/** A key of the front matter. The validation and the reference page come from these. */
export interface Key<T> {
  readonly key: string;
  readonly type: ValueType<T>;
  /** The value if the key is missing. undefined: the key is required. */
  missing(reading: Reading, before: PartialSettings): T | undefined;
  /** For people: the default. */
  readonly default: string;
  /** For people: one or more sentences. */
  readonly what: string;
  /** When a change has an effect. */
  readonly applies: "next tick" | "new runs" | "restart";
  /** Whether the key is one of SPEC.md, or ours. */
  readonly from: "SPEC.md" | "codexwright";
}

/** The sections that were read so far. */
export type PartialSettings = { readonly [S in keyof Settings]?: Settings[S] };

type Plain = Omit<Settings["tracker"], "provider">;

/** `tracker.provider` belongs to the adapter, and is read by its profile. */
export type KeyTable = { readonly [S in Exclude<keyof Settings, "tracker">]: Section<Settings[S]> } & {
  readonly tracker: Section<Plain>;
};

type Section<S> = { readonly [F in keyof S]: Key<S[F]> };

type Rest<T> = Pick<Key<T>, "what" | "applies"> & {
  readonly from?: Key<T>["from"];
  readonly default?: string;
};

function key<T>(name: string, type: ValueType<T>, missing: T, rest: Rest<T>): Key<T> {
  return {
    key: name,
    type,
    missing: () => missing,
    default: `\`${JSON.stringify(missing)}\``,
    from: "SPEC.md",
    ...rest,
  };
}

/** A key whose default depends on something else. */
function computed<T>(
  name: string,
  type: ValueType<T>,
  missing: Key<T>["missing"],
  rest: Rest<T> & { readonly default: string },
): Key<T> {
  return { key: name, type, missing, from: "SPEC.md", ...rest };
}

const APPROVAL_POLICY = either(choice("untrusted", "on-request", "on-failure", "never"), codexMap);
const SANDBOX_MODE = choice("read-only", "workspace-write", "danger-full-access");

/** In the order in which they are read: defaults can depend on sections before. */
export const KEYS: KeyTable = {
  tracker: {
    kind: computed("kind", text, () => undefined, {
      default: "required",
      what: "The tracker, such as `folder`: the name of an adapter.",
      applies: "next tick",
    }),
    requiredLabels: key<readonly string[]>("required_labels", labels, [], {
      what: "An issue needs all of these labels. Compared without case. A blank label matches no issue.",
      applies: "next tick",
    }),
    activeStates: computed(
      "active_states",
      states,
      ({ profile }) => defaultStates(profile?.activeStates, profile),
      {
        default: "the tracker's",
        what: "Issues in these states are worked on. Compared without case.",
        applies: "next tick",
      },
    ),
    terminalStates: computed(
      "terminal_states",
      states,
      ({ profile }) => defaultStates(profile?.terminalStates, profile),
      {
        default: "the tracker's",
        what: "Issues in these states are done: their runs end and their workspaces are removed.",
        applies: "next tick",
      },
    ),
  },
  polling: {
    intervalMs: key("interval_ms", milliseconds(100), 30_000, {
      what: "The time between two polls of the tracker.",
      applies: "next tick",
    }),
  },
  workspace: {
    root: computed("root", folderPath, ({ temp }) => path.join(temp, "symphony_workspaces"), {
      default: "`<system-temp>/symphony_workspaces`",
      what: "The folder of the workspaces. A relative path is relative to WORKFLOW.md.",
      applies: "new runs",
    }),
  },
  hooks: {
    afterCreate: key<string | null>("after_create", script, null, {
      what: "Runs in a workspace that is new. If it fails, the new folder is removed and the attempt fails.",
      applies: "new runs",
    }),
    beforeRun: key<string | null>("before_run", script, null, {
      what: "Runs before each run. If it fails, the attempt fails.",
      applies: "new runs",
    }),
    afterRun: key<string | null>("after_run", script, null, {
      what: "Runs after each run, however it ended. A failure is logged.",
      applies: "new runs",
    }),
    beforeRemove: key<string | null>("before_remove", script, null, {
      what: "Runs before a workspace is removed. A failure is logged.",
      applies: "new runs",
    }),
    timeoutMs: key("timeout_ms", milliseconds(1), 60_000, {
      what: "The limit of each hook. Then its whole process group is ended.",
      applies: "new runs",
    }),
  },
  agent: {
    maxConcurrentAgents: key("max_concurrent_agents", integer(0), 10, {
      what: "How many agents run at the same time.",
      applies: "next tick",
    }),
    maxTurns: key("max_turns", integer(1), 20, {
      what: "How many turns a run has at most.",
      applies: "new runs",
    }),
    maxRetryBackoffMs: key("max_retry_backoff_ms", milliseconds(0), 300_000, {
      what: "The longest delay before a retry after a failure.",
      applies: "next tick",
    }),
    maxConcurrentAgentsByState: key<Readonly<Record<string, number>>>(
      "max_concurrent_agents_by_state",
      limitsByState,
      {},
      {
        what: "Limits for states. States without an entry have the limit of all. Invalid entries are ignored.",
        applies: "next tick",
      },
    ),
    maxAttempts: key("max_attempts", integer(1), 10, {
      what: "So many failures in a row block the issue.",
      applies: "new runs",
      from: "codexwright",
    }),
    maxSessions: key("max_sessions", integer(1), 10, {
      what: "So many runs that end normally, with the issue unchanged in the tracker, block the issue.",
      applies: "new runs",
      from: "codexwright",
    }),
    onQuestion: key<Settings["agent"]["onQuestion"]>(
      "on_question",
      choice("block", "decline", "fail"),
      "block",
      {
        what: "If the agent asks: wait for a person, tell the model that no person is there, or fail the attempt.",
        applies: "new runs",
        from: "codexwright",
      },
    ),
    sessionLimitMs: key("session_limit_ms", milliseconds(1000, 86_000_000), 21_600_000, {
      what: "The longest time of a run.",
      applies: "new runs",
      from: "codexwright",
    }),
  },
  codex: {
    command: key("command", text, "codex app-server", {
      what: "The app-server. Other texts than the default are run by `bash -lc` in the workspace.",
      applies: "new runs",
    }),
    approvalPolicy: key<Json>("approval_policy", APPROVAL_POLICY, "never", {
      what: "Codex's `AskForApproval`. A map is passed on as it is.",
      applies: "new runs",
    }),
    threadSandbox: key<Json>("thread_sandbox", SANDBOX_MODE, "workspace-write", {
      what: "Codex's `SandboxMode`.",
      applies: "new runs",
    }),
    turnSandboxPolicy: key<Json>("turn_sandbox_policy", codexMap, null, {
      what: "Codex's `SandboxPolicy` of each turn, passed on as it is.",
      applies: "new runs",
    }),
    turnTimeoutMs: key("turn_timeout_ms", milliseconds(1), 3_600_000, {
      what: "The limit of silence in a turn.",
      applies: "new runs",
    }),
    readTimeoutMs: key("read_timeout_ms", milliseconds(1), 5000, {
      what: "The limit of each answer of the app-server. Its start has at least 15 seconds, because a shell reads the user's profile first.",
      applies: "new runs",
    }),
    stallTimeoutMs: key<number | null>("stall_timeout_ms", millisecondsOrOff, 300_000, {
      what: "A run without any sign of life for so long is ended. The time of an open question or tool call does not count.",
      applies: "new runs",
    }),
  },
  budget: {
    issueTokens: key<number | null>("issue_tokens", integerOrNull(1), 10_000_000, {
      what: "Tokens of an issue over all its runs. Then it is blocked. `null`, if written: no limit.",
      applies: "new runs",
      from: "codexwright",
    }),
    dayTokens: key<number | null>("day_tokens", integerOrNull(1), 100_000_000, {
      what: "Tokens of the fleet in a UTC day. Then it waits for the next one. `null`, if written: no limit.",
      applies: "next tick",
      from: "codexwright",
    }),
  },
  database: {
    url: key<string | null>("url", secretUrl, null, {
      what: "A PostgreSQL database, as `$VAR`. Without it, the database is embedded.",
      applies: "restart",
      from: "codexwright",
    }),
    leaseMs: key("lease_ms", milliseconds(10_000), 30_000, {
      what: "How long a worker may be silent before its runs are taken over.",
      applies: "restart",
      from: "codexwright",
    }),
  },
  worker: {
    slots: computed(
      "slots",
      integer(1),
      (_, { agent, database }) => (database?.url == null ? Math.max(agent?.maxConcurrentAgents ?? 10, 1) : 5),
      {
        default: "embedded: `agent.max_concurrent_agents`; with `database.url`: 5",
        what: "How many agents run on this host at the same time.",
        applies: "restart",
        from: "codexwright",
      },
    ),
    sshHosts: key<readonly string[]>("ssh_hosts", names, [], {
      what: "Kept for agents on other hosts. This version starts none there.",
      applies: "restart",
    }),
    maxConcurrentAgentsPerHost: key<number | null>("max_concurrent_agents_per_host", integerOrNull(1), null, {
      default: "no limit",
      what: "Kept for agents on other hosts.",
      applies: "restart",
    }),
  },
  server: {
    port: key<number | null>("port", integerOrNull(0, 65_535), null, {
      default: "no server",
      what: "The port of the HTTP API. 0: any free port. `--port` takes precedence.",
      applies: "restart",
    }),
    host: key("host", text, "127.0.0.1", {
      what: "The address of the HTTP API. Off loopback, everything needs the token.",
      applies: "restart",
      from: "codexwright",
    }),
  },
};

function defaultStates(
  own: readonly string[] | undefined,
  profile: Reading["profile"],
): readonly string[] | undefined {
  // Without a known tracker, its missing kind is the problem.
  return profile === undefined ? [] : own;
}
