/** An adapter for a list of tasks with an HTTP API, and the checks that it must pass. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonSchema, tool, type Tool } from "codexwright";
import {
  trackerChecks,
  TrackerError,
  type Breakage,
  type Issue,
  type SampleIssue,
  type Tracker,
  type TrackerConfig,
  type TrackerHarness,
  type TrackerKind,
  type TrackerProfile,
} from "@codexwright/orchestrator/tracker";

// #region profile
const PROFILE: TrackerProfile = {
  kind: "tasks",
  summary: "A list of tasks with an HTTP API.",
  keys: [
    { key: "url", what: "The address of the list.", required: true },
    { key: "token", what: "The token of the list.", required: true, secret: true, env: "TASKS_TOKEN" },
  ],
  activeStates: ["open"],
  terminalStates: ["closed"],
  notes: {
    scope: "All tasks of the list.",
    paging: "Pages of 25 tasks. An answer counts only if it has all tasks that the first page promised.",
    identity: "`id` is the number of the task, and `identifier` is `TASK-<number>`.",
    normalization: "A task is dispatchable when the tasks that it waits for are closed.",
    errors: "Status 429 is `tracker_rate_limited`, other statuses are `tracker_status`.",
  },
  tools: [{ name: "task_close", what: "Closes the task of the agent.", mutates: true }],
};
// #endregion profile

/** A task as the API sends it. */
interface Task {
  readonly id: number;
  readonly title: string;
  readonly text: string | null;
  readonly state: string;
  readonly tags: readonly string[];
  readonly waitsFor: readonly { readonly id: number; readonly state: string }[];
}

// #region issue
/** Returns the issue, or undefined if the record lacks a required field. */
function issueOf(task: Task): Issue | undefined {
  if (!Number.isInteger(task.id) || !task.title || !task.state) return undefined;
  const labels = task.tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== "");
  return {
    id: String(task.id),
    native_ref: { number: task.id },
    identifier: `TASK-${task.id}`,
    title: task.title,
    description: task.text,
    priority: null,
    state: task.state,
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: [...new Set(labels)],
    blocked_by: task.waitsFor.map(({ id, state }) => ({ id: String(id), identifier: `TASK-${id}`, state })),
    dispatchable: task.waitsFor.every(({ state }) => state === "closed"),
    created_at: null,
    updated_at: null,
  };
}
// #endregion issue

// #region requests
interface Page {
  readonly total: number;
  readonly tasks: readonly Task[];
}

/** Sends a request. Every failure becomes a `TrackerError`, and none becomes an empty answer. */
async function send(url: URL, token: string, signal: AbortSignal, method = "GET"): Promise<Page> {
  const headers = { authorization: `Bearer ${token}` };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(30_000)]);
  try {
    const answer = await fetch(url, { method, headers, signal: limit });
    if (answer.status === 429) {
      const retryAt = Date.now() + 1_000 * Number(answer.headers.get("retry-after") ?? 60);
      throw new TrackerError("tracker_rate_limited", "the list refuses more requests", { retryAt });
    }
    if (!answer.ok) throw new TrackerError("tracker_status", `the list answered with ${answer.status}`);
    return (await answer.json()) as Page;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TrackerError) throw error;
    if (error instanceof SyntaxError) throw new TrackerError("tracker_response", "the answer is not JSON");
    throw new TrackerError("tracker_request", "the list does not answer", { cause: error });
  }
}
// #endregion requests

class TasksTracker implements Tracker {
  readonly profile: TrackerProfile = PROFILE;
  readonly #warn: (message: string) => void;
  readonly #base: string;
  readonly #token: string;
  #isClosed = false;

  constructor({ provider, warn }: TrackerConfig) {
    const { url, token } = provider;
    if (typeof url !== "string" || typeof token !== "string")
      throw new TrackerError("invalid_tracker_config", "tracker.provider needs url and token");
    this.#warn = warn;
    this.#base = url;
    this.#token = token;
  }

  async byStates(states: readonly string[], signal: AbortSignal): Promise<readonly Issue[]> {
    const wanted = new Set(states.map((state) => state.trim().toLowerCase()));
    const tasks = await this.#tasks("state", [...wanted], signal);
    return tasks.flatMap((task) => {
      const issue = issueOf(task);
      if (!issue) this.#warn(`task ${task.id} has no title or no state; it was left out`);
      return issue ?? [];
    });
  }

  async byIds(ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Issue>> {
    const wanted = [...ids].filter((id) => /^[1-9]\d{0,9}$/.test(id));
    const tasks = await this.#tasks("id", wanted, signal);
    const issues = tasks.map((task) => {
      const issue = issueOf(task);
      // The fleet would take a missing issue for one that was deleted.
      if (!issue) throw new TrackerError("tracker_response", `task ${task.id} has no title or no state`);
      return issue;
    });
    return new Map(issues.map((issue) => [issue.id, issue]));
  }

  tools(issue: Issue): readonly Tool[] {
    return [
      tool({
        name: "task_close",
        description: "Closes the task that you work on.",
        input: jsonSchema({ type: "object", properties: {}, additionalProperties: false }),
        effects: "external",
        run: async (_input, { signal }) => {
          await send(this.#url(`/tasks/${issue.id}/close`), this.#token, signal, "POST");
        },
      }),
    ];
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Reads all pages. */
  async #tasks(key: string, values: readonly string[], signal: AbortSignal): Promise<readonly Task[]> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TrackerError("tracker_request", "the tracker is closed");
    if (values.length === 0) return [];
    const tasks = new Map<number, Task>();
    for (let page = 1; ; page++) {
      const url = this.#url("/tasks");
      url.searchParams.set("page", String(page));
      for (const value of values) url.searchParams.append(key, value);
      const answer = await send(url, this.#token, signal);
      for (const task of answer.tasks) tasks.set(task.id, task);
      if (tasks.size === answer.total) return [...tasks.values()];
      if (answer.tasks.length === 0) throw new TrackerError("tracker_pagination", "a page is missing");
    }
  }

  #url(path: string): URL {
    return new URL(path, this.#base);
  }
}

export const tasks: TrackerKind = {
  profile: PROFILE,
  check: ({ url, token }) => [
    ...(typeof url === "string" && URL.canParse(url) ? [] : ["url must be a URL"]),
    ...(typeof token === "string" && token !== "" ? [] : ["token must be a text"]),
  ],
  open: (config) => Promise.resolve(new TasksTracker(config)),
};

/** The list of tasks, which fails on demand. */
class TasksServer implements TrackerHarness {
  readonly secret = "a-token-of-the-list";
  readonly #tasks = new Map<number, Task>();
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));
  #broken: Breakage | undefined;
  #requests = 0;

  async open(config: Parameters<TrackerHarness["open"]>[0]): Promise<Tracker> {
    if (!this.#server.listening) await once(this.#server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return await tasks.open({ ...config, provider: { url, token: this.secret }, folder: "/" });
  }

  async create(sample: SampleIssue): Promise<string> {
    const id = this.#tasks.size + 1;
    this.#tasks.set(id, { id, title: "", state: "", text: null, tags: [], waitsFor: [] });
    await this.change(String(id), sample);
    return String(id);
  }

  change(id: string, { description, labels, blockedBy, ...rest }: Partial<SampleIssue>): Promise<void> {
    const task = this.#task(id);
    this.#tasks.set(task.id, {
      ...task,
      ...rest,
      text: description ?? task.text,
      tags: labels ?? task.tags,
      waitsFor: blockedBy?.map((each) => this.#task(each)) ?? task.waitsFor,
    });
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.#tasks.delete(Number(id));
    return Promise.resolve();
  }

  spoil(id: string): Promise<void> {
    return this.change(id, { title: "" });
  }

  break(how: Breakage): Promise<boolean> {
    this.#broken = how;
    return Promise.resolve(true);
  }

  mend(): Promise<void> {
    this.#broken = undefined;
    return Promise.resolve();
  }

  requests(): number {
    return this.#requests;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #task(id: string): Task {
    const task = this.#tasks.get(Number(id));
    if (!task) throw new Error(`there is no task ${id}`);
    return task;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#requests++;
    const isAuthorized = request.headers.authorization === `Bearer ${this.secret}`;
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const page = Number(searchParams.get("page"));
    const [states, ids] = [searchParams.getAll("state"), searchParams.getAll("id")];
    const found = [...this.#tasks.values()]
      .filter(({ id, state }) => states.includes(state) || ids.includes(String(id)))
      .map((task) => ({ ...task, waitsFor: task.waitsFor.map(({ id }) => this.#task(String(id))) }));
    const body = JSON.stringify({ total: found.length, tasks: found.slice(25 * page - 25, 25 * page) });
    if (this.#broken === "unreachable") request.socket.destroy();
    else if (this.#broken === "unauthorized" || !isAuthorized) response.writeHead(401).end();
    else if (this.#broken === "failing") response.writeHead(500).end("{}");
    else if (this.#broken === "rate_limited") response.writeHead(429, { "retry-after": "60" }).end();
    else if (this.#broken === "truncated") response.end(body.slice(0, body.length / 2));
    else response.end(body);
  }
}

// #region run
for (const { name, run } of trackerChecks) {
  const result = await run(new TasksServer());
  console.log(result.outcome === "passed" ? `passed: ${name}` : `skipped: ${name} (${result.why})`);
}
// #endregion run
