import { Option, type Command } from "commander";
import { action, count, examples, port } from "../shared/options.ts";

export function register(program: Command): void {
  const fleet = program
    .command("fleet")
    .description("Let agents work on the issues of a tracker: start the fleet, see it, give it orders.");
  examples(
    fleet,
    "codexwright fleet init                       make WORKFLOW.md and a folder for issues",
    "codexwright fleet up                         start the fleet of ./WORKFLOW.md",
    "codexwright fleet status --watch",
    'codexwright fleet answer ABC-1 "use PostgreSQL"',
  );
  up(fleet);
  status(fleet);
  explain(fleet);
  diff(fleet);
  scopeOrders(fleet);
  issueOrders(fleet);
  logs(fleet);
  doctor(fleet);
  init(fleet);
}

const WORKFLOW = "default: ./WORKFLOW.md";

function up(fleet: Command): void {
  const command = common(
    fleet.command("up").description("Start the fleet of a WORKFLOW.md, and run it until Ctrl-C."),
  )
    .argument("[workflow]", `the file; ${WORKFLOW}`)
    .option("--once", "end when no issue is eligible, no agent runs and no retry waits")
    .option(
      "--port <port>",
      "the port of the HTTP API; default: server.port, or any free one",
      port("--port"),
    )
    .addOption(data())
    .option("--otlp", "send traces and metrics with the OpenTelemetry SDK that you have installed");
  examples(
    command,
    "codexwright fleet up",
    "codexwright fleet up team/WORKFLOW.md --port 4000",
    "codexwright fleet up --once --json",
  );
  action(command, async () => (await import("../fleet/up.ts")).up);
}

function status(fleet: Command): void {
  const command = running(
    fleet.command("status").description("Show what runs, waits and needs a person."),
  ).option("-w, --watch", "keep showing it, until Ctrl-C");
  examples(command, "codexwright fleet status", "codexwright fleet status --json | jq .state.blocked");
  action(command, async () => (await import("../fleet/status.ts")).status);
}

function explain(fleet: Command): void {
  const command = running(
    fleet.command("explain").description("Show why an issue runs or does not run, rule by rule."),
  ).argument("<issue>", ISSUE);
  examples(command, "codexwright fleet explain ABC-1");
  action(command, async () => (await import("../fleet/explain.ts")).explain);
}

function diff(fleet: Command): void {
  const command = running(
    fleet.command("diff").description("Show the files that the agents of an issue have changed."),
  )
    .argument("<issue>", ISSUE)
    .option("--run <id>", "only the changes of this run; default: of all runs");
  examples(
    command,
    "codexwright fleet diff ABC-1",
    "codexwright fleet diff ABC-1 --json | jq -r .changes.patch",
  );
  action(command, async () => (await import("../fleet/diff.ts")).diff);
}

function scopeOrders(fleet: Command): void {
  const pause = running(
    fleet.command("pause").description("Start no more agents. Agents that run go on."),
  ).option("--reason <text>", "the reason, for everyone who looks at the fleet");
  examples(pause, 'codexwright fleet pause --reason "a release"');
  action(pause, async () => (await import("../fleet/orders.ts")).pause);

  const resume = running(fleet.command("resume").description("End a pause."));
  examples(resume, "codexwright fleet resume");
  action(resume, async () => (await import("../fleet/orders.ts")).resume);

  const drain = running(
    fleet.command("drain").description("Start no more agents, let turns end, and end the fleet."),
  ).option("--now", "interrupt the turns");
  examples(drain, "codexwright fleet drain", "codexwright fleet drain --now");
  action(drain, async () => (await import("../fleet/orders.ts")).drain);
}

function issueOrders(fleet: Command): void {
  const stop = running(
    fleet.command("stop").description("Stop work on an issue until `retry`, or a change in the tracker."),
  )
    .argument("<issue>", ISSUE)
    .option("--reason <text>", "the reason, for everyone who looks at the issue");
  examples(stop, 'codexwright fleet stop ABC-1 --reason "needs a decision"');
  action(stop, async () => (await import("../fleet/orders.ts")).stop);

  const retry = running(
    fleet.command("retry").description("Free a blocked issue, or make a waiting retry due now."),
  ).argument("<issue>", ISSUE);
  examples(retry, "codexwright fleet retry ABC-1");
  action(retry, async () => (await import("../fleet/orders.ts")).retry);

  const answer = running(
    fleet
      .command("answer")
      .description("Answer the question of an agent. Its next run begins with the answer."),
  )
    .argument("<issue>", ISSUE)
    .argument("[text...]", "the answer; `-` reads it from stdin")
    .option("--protocol <json>", "the answer to the request of the app-server, as JSON, instead of a text");
  examples(
    answer,
    'codexwright fleet answer ABC-1 "use PostgreSQL"',
    "codexwright fleet answer ABC-1 - < answer.md",
    `codexwright fleet answer ABC-1 --protocol '{"decision":"accept"}'`,
  );
  action(answer, async () => (await import("../fleet/orders.ts")).answer);

  const clean = running(
    fleet.command("clean").description("Release an issue that does not run, and remove its workspace."),
  ).argument("<issue>", ISSUE);
  examples(clean, "codexwright fleet clean ABC-1");
  action(clean, async () => (await import("../fleet/orders.ts")).clean);
}

function logs(fleet: Command): void {
  const command = running(fleet.command("logs").description("Show the last events of a fleet."))
    .option("-f, --follow", "show new events as they happen, until Ctrl-C or the end of the fleet")
    .option("-n, --last <count>", "how many past events, at most 1000; default: 100", count("--last"))
    .option("--issue <issue>", "only events of this issue: its identifier or its id");
  examples(command, "codexwright fleet logs -f", "codexwright fleet logs --issue ABC-1 --json");
  action(command, async () => (await import("../fleet/logs.ts")).logs);
}

function doctor(fleet: Command): void {
  const command = common(
    fleet.command("doctor").description("Check what a fleet needs, and say how to fix what is wrong."),
  )
    .argument("[workflow]", `the file; ${WORKFLOW}`)
    .addOption(data());
  examples(command, "codexwright fleet doctor", "codexwright fleet doctor team/WORKFLOW.md");
  action(command, async () => (await import("../fleet/doctor.ts")).doctor);
}

function init(fleet: Command): void {
  const command = common(
    fleet.command("init").description("Make a WORKFLOW.md and a folder for issues. Overwrites nothing."),
  ).argument("[folder]", "the folder; default: this one");
  examples(command, "codexwright fleet init", "codexwright fleet init ~/team");
  action(command, async () => (await import("../fleet/init.ts")).init);
}

const ISSUE = "its identifier, such as ABC-1, or its id";

/** The options of every command of the fleet. */
function common(command: Command): Command {
  return command
    .option("--json", "print only JSON on stdout, one object per line")
    .option("-q, --quiet", "leave out progress and hints")
    .option("-C, --cwd <folder>", "the folder to work in");
}

/** The options of a command for a fleet that runs. */
function running(command: Command): Command {
  return common(command)
    .option("--workflow <file>", `the WORKFLOW.md of the fleet; ${WORKFLOW}`)
    .addOption(data());
}

function data(): Option {
  return new Option("--data <folder>", "the state folder; default: below $XDG_STATE_HOME/codexwright/fleet");
}
