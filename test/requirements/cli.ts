import type { Requirement } from "./requirement.ts";

export const CLI = [
  {
    id: "cli.layers",
    statement: "The command uses only public entries of the library.",
  },
  {
    id: "cli.help",
    statement:
      "`codexwright --help` takes at most four times as long as `node -e 0`; every command has examples.",
  },
  {
    id: "cli.help.width",
    statement: "No line of help is wider than the terminal, from 20 to 120 columns, and no word is broken.",
  },
  {
    id: "cli.run.text",
    statement: "run shows messages, reasoning, commands, diffs, the plan, the cost and how to resume.",
  },
  {
    id: "cli.run.warnings",
    statement: "run shows the client's warnings apart from its results; --quiet and --json do not.",
  },
  {
    id: "cli.run.terminal",
    statement: "On a terminal run shows what is under way and a status line, and survives a resize.",
  },
  {
    id: "cli.run.task",
    statement: "A task comes from the command line, stdin or a file, with images.",
  },
  {
    id: "cli.run.stdin",
    statement:
      "Piped text follows the words of a task in a `<stdin>` block; it is bounded, must be text, and is never awaited in silence.",
  },
  {
    id: "cli.run.options",
    statement:
      "run hands image, model, effort, sandbox, approval policy and folder on, resumes, forks, and keeps nothing.",
  },
  {
    id: "cli.run.approvals",
    statement:
      "Approvals are shown and answered by a key; without a terminal they are declined unless told otherwise.",
  },
  {
    id: "cli.run.elicitations",
    statement:
      "What MCP servers ask is shown with the server's name and its form filled in; without a terminal it is declined.",
  },
  {
    id: "cli.run.permissions",
    statement:
      "Permissions that are asked for are shown and granted by a key; without a terminal none are unless told so.",
  },
  {
    id: "cli.run.questions",
    statement: "The model's questions are answered by a choice, a text or a secret that is not shown.",
  },
  {
    id: "cli.run.steering",
    statement: "What is typed while a turn runs steers it.",
  },
  {
    id: "cli.run.interrupt",
    statement: "Ctrl-C interrupts the turn, a second one quits.",
  },
  {
    id: "cli.run.output",
    statement: "--output-schema prints the validated JSON and nothing else to a pipe.",
  },
  {
    id: "cli.run.limits",
    statement: "--timeout and --max-tokens end a turn with exit code 5.",
  },
  {
    id: "cli.run.tools",
    statement: "--tool gives the model the tools a module exports.",
  },
  {
    id: "cli.run.demo",
    statement: "run --demo works without a login; run without it exits 4 and says what to do.",
  },
  { id: "cli.review", statement: "review reviews changes and prints the review." },
  {
    id: "cli.review.target",
    statement:
      "review refuses unknown branches and commits and folders without git, and asks no model if there are no changes.",
  },
  {
    id: "cli.exec",
    statement: "exec runs a command in the sandbox, in a terminal where there is one, and exits as it does.",
  },
  {
    id: "cli.threads",
    statement: "threads lists, shows, names, archives, forks, resumes and deletes threads.",
  },
  {
    id: "cli.threads.find",
    statement:
      "A thread is named by its id, the unique beginning of its id or its name, or is the last one of the folder; several candidates are listed.",
  },
  {
    id: "cli.run.resumable",
    statement: "A line about how to resume is printed only for a thread that can be resumed.",
  },
  { id: "cli.models", statement: "models lists the models." },
  {
    id: "cli.account",
    statement: "login, logout and whoami work on the account and show its limits as bars.",
  },
  {
    id: "cli.json",
    statement: "With --json every line of stdout is an object of the documented schema.",
  },
  {
    id: "cli.exit-codes",
    statement: "Exit codes are the documented ones.",
  },
  {
    id: "cli.errors",
    statement:
      "A wrong use of any command is one error line in one style on stderr, the documented exit code, and nothing on stdout; with --json one line on stdout.",
  },
  {
    id: "cli.completion",
    statement: "Completions for bash, zsh and fish know every command and option.",
  },
] as const satisfies readonly Requirement[];
