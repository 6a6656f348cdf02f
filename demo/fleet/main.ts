/**
 * The demo of `npm start -- fleet`: six issues in a temporary folder, a scripted model, and a fleet in a process of its
 * own. The viewer can kill that process and answers the question of an agent. Ends by itself when all issues are done.
 */
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FleetClient, placeOf, type ApiEvent, type ApiState } from "@codexwright/orchestrator/cli";
import { realAppServer } from "@codexwright/testing";
import { Agents } from "./agents.ts";
import { ASKS, CHOICES, ISSUES, NAMES, QUESTION, writeProject } from "./issues.ts";
import { FleetProcess } from "./process.ts";
import { Repository } from "./result.ts";
import { onKeys, Show } from "./show.ts";
import { storyOf } from "./story.ts";

/** Codex offers its tool for questions in the default mode only with this feature. */
const CONFIG = "[features]\ndefault_mode_request_user_input = true\n";
/** Without a terminal, the demo kills the fleet when one of these agents runs a command. */
const KILLED = ["RATE-5", "RATE-6"];
const LOOK_MS = 300;
/** Threads are named by UUIDs. */
const THREAD_LENGTH = 36;
/** How long the demo waits for the answer of the viewer. */
const PATIENCE_MS = 20_000;

const GIT = {
  GIT_AUTHOR_NAME: "fleet",
  GIT_AUTHOR_EMAIL: "fleet@localhost",
  GIT_COMMITTER_NAME: "fleet",
  GIT_COMMITTER_EMAIL: "fleet@localhost",
};

interface Place {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

class Demo {
  readonly #agents: Agents;
  readonly #show: Show;
  readonly #folder: string;
  readonly #data: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #repository: Repository;
  #fleet: FleetProcess | undefined;
  #client: FleetClient | undefined;
  #url = "";
  /** The issues whose agents were killed, until they go on. */
  readonly #lost = new Set<string>();
  /** By issue. */
  readonly #threads = new Map<string, string>();
  #answerBy: number | undefined;
  #killedAt: number | undefined;
  #kill: Promise<void> | undefined;
  #kills = 0;
  #runs = 0;

  constructor(agents: Agents, show: Show, { root, env }: Place) {
    this.#agents = agents;
    this.#show = show;
    this.#folder = path.join(root, "project");
    this.#data = path.join(root, "state");
    this.#env = { ...env, ...GIT };
    this.#repository = new Repository(this.#folder, this.#env);
    agents.folder = this.#folder;
  }

  /** Runs until all issues are done, or the signal aborts. */
  async run(stop: AbortSignal): Promise<void> {
    this.#show.tell(`Six issues in ${this.#folder}, two agents at once, and a scripted model.`);
    for (const [name, { title, blockedBy = [] }] of Object.entries(ISSUES)) {
      const after = blockedBy.length === 0 ? "" : ` (after ${blockedBy.join(" and ")})`;
      this.#show.tell(`  ${name}  ${title}${after}`);
    }
    await writeProject(this.#folder);
    await this.#repository.make(this.#folder);
    await this.#start();
    try {
      while (!stop.aborted && !(await this.#isDone())) {
        await this.#look();
        await delay(LOOK_MS);
      }
    } finally {
      await this.#kill;
      await this.#fleet?.end({ now: stop.aborted });
      this.#show.close();
    }
    if (!stop.aborted) await this.#tellResult();
  }

  press(key: string): void {
    if (key === "k") this.#crash();
    const choice = CHOICES[Number(key) - 1];
    if (choice !== undefined && this.#answerBy !== undefined) void this.#answer(choice);
  }

  async #start(): Promise<void> {
    const { folder, data, env } = { folder: this.#folder, data: this.#data, env: this.#env };
    this.#fleet = new FleetProcess({ folder, data, env, onEvent: (event) => this.#heard(event) });
    this.#url = await this.#fleet.url;
    const place = placeOf({ data, cwd: folder, env: {} });
    this.#client = await FleetClient.connect(place, "viewer");
    this.#show.tell(`The fleet runs. Its page: ${this.#url}`);
  }

  #heard(event: ApiEvent): void {
    const line = storyOf(event);
    if (line !== undefined) this.#show.tell(line);
    if (event.event === "run.started") this.#runs++;
    if (event.event === "run.lost" && event.issue_identifier) this.#lost.add(event.issue_identifier);
    if (event.event === "session.started") this.#heardSession(event);
  }

  /** After a kill, tells how long it took until an agent goes on that was killed. */
  #heardSession({ issue_identifier: issue, session_id: session }: ApiEvent): void {
    // The session is named by its thread and its turn.
    const thread = session?.slice(0, THREAD_LENGTH);
    if (issue === null || thread === undefined) return;
    const goesOn = this.#threads.get(issue) === thread;
    this.#threads.set(issue, thread);
    if (this.#killedAt === undefined || !this.#lost.delete(issue)) return;
    const seconds = ((performance.now() - this.#killedAt) / 1000).toFixed(1);
    // Codex may not have stored a thread that has just begun.
    const how = goesOn ? "the same" : "a new";
    this.#show.tell(`Takeover: ${issue} goes on with ${how} thread, ${seconds} s after the kill.`);
  }

  async #look(): Promise<void> {
    await this.#kill;
    const state = await this.#client?.state().catch(() => undefined);
    if (state === undefined) return;
    this.#show.state = state;
    const isAsked = state.blocked.some(({ issue_identifier }) => issue_identifier === ASKS);
    if (isAsked && this.#agents.answer === undefined) await this.#ask();
    this.#show.keys = [...this.#question(), `k: kill -9 the fleet   q: quit   ${this.#url}`];
    if (!this.#show.isTerminal && this.#kills === 0 && isAtWork(state)) this.#crash();
  }

  #question(): readonly string[] {
    if (this.#answerBy === undefined) return [];
    const [first, second] = CHOICES;
    return [`${ASKS} asks: ${QUESTION}   1: ${first}   2: ${second}`];
  }

  /** The viewer answers by a key. After a while, the demo does. */
  async #ask(): Promise<void> {
    const patience = this.#show.isTerminal ? PATIENCE_MS : 0;
    if (this.#answerBy === undefined) {
      this.#answerBy = performance.now() + patience;
      this.#show.tell(`${ASKS} asks: ${QUESTION} Its slot is free meanwhile.`);
    }
    if (performance.now() >= this.#answerBy) await this.#answer(CHOICES[0]);
  }

  async #answer(choice: string): Promise<void> {
    this.#agents.answer = choice;
    this.#answerBy = undefined;
    this.#show.tell(`$ codexwright fleet answer ${ASKS} "${choice}"`);
    await this.#client?.order(ASKS, { kind: "answer", text: choice });
  }

  #crash(): void {
    this.#kill ??= this.#restart().finally(() => (this.#kill = undefined));
  }

  async #restart(): Promise<void> {
    this.#kills++;
    this.#show.tell("$ kill -9 (the process with the orchestrator, the database and the worker)");
    await this.#fleet?.crash();
    this.#killedAt = performance.now();
    this.#show.tell("It is dead. The guards end its agents. A new process starts:");
    await this.#start();
  }

  async #isDone(): Promise<boolean> {
    if (!NAMES.every((name) => this.#agents.isDone(name))) return false;
    return (await this.#repository.branches()).length === NAMES.length;
  }

  async #tellResult(): Promise<void> {
    for (const name of NAMES) {
      this.#show.print();
      this.#show.print(`${name}  ${ISSUES[name]?.title}`);
      this.#show.print((await this.#repository.diff(name)).trimEnd());
    }
    const { total_tokens, seconds_running } = this.#show.state?.codex_totals ?? NOTHING;
    this.#show.print();
    this.#show.print(
      `${NAMES.length} issues are done after ${this.#runs} runs, ${total_tokens} tokens and ` +
        `${Math.round(seconds_running)} s of work. The fleet was killed ${this.#kills === 1 ? "once" : `${this.#kills} times`}.`,
    );
  }
}

const NOTHING = { total_tokens: 0, seconds_running: 0 };

/** Whether an agent of {@link KILLED} runs a command. */
function isAtWork({ running }: ApiState): boolean {
  return running.some(
    ({ issue_identifier, last_event }) => KILLED.includes(issue_identifier) && last_event === "tool.started",
  );
}

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort());
// The reader is gone, as in `npm start -- fleet | head`. The fleet has to end, too.
process.stdout.on("error", () => stop.abort());
const agents = new Agents();
await using model = await agents.model();
await using place = await realAppServer({ model, config: CONFIG });
const show = new Show();
const demo = new Demo(agents, show, { root: place.root, env: place.clientOptions.env });
const release = onKeys((key) => {
  // The terminal sends Ctrl-C as a key now.
  if (key === "q" || key === "\u0003") stop.abort();
  else demo.press(key);
});
try {
  await demo.run(stop.signal);
} finally {
  release();
}
if (stop.signal.aborted) process.exitCode = 130;
