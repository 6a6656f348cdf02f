import {
  exec,
  hang,
  mcpCall,
  plan,
  reply,
  toolCall,
  userInput,
  type FakeMcpTool,
} from "@codexwright/testing";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, realWorld, verifiesHere } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";
import { newUser } from "../support/user.ts";

verifies(
  "cli.run.interrupt",
  "a server that does not answer: the first Ctrl-C interrupts, the second quits",
  async () => {
    await using user = await newUser({
      model: [hang()],
      faults: [{ on: "turn/interrupt", fault: "stall" }],
    });
    await using terminal = await Terminal.open(["run", "Wait"], { cwd: user.folder, env: user.env });
    await user.fake.request(0);
    await terminal.shows("Ctrl-C interrupts");
    await terminal.key("C-c");
    await terminal.shows("interrupting; press Ctrl-C again to quit");
    await terminal.key("C-c");
    expect(await terminal.exitCode()).toBe(130);
  },
  { ...PINNED, against: "fake" },
);

verifiesHere(
  ["cli.run.terminal", "cli.run.text"],
  "a plan and a question: the plan stays below the text while it changes, and the user chooses an answer",
  async () => {
    const steps = (first: "in_progress" | "completed") => [
      { step: "look around", status: first },
      { step: "do the work", status: "pending" as const },
    ];
    await using user = await newUser({
      model: [
        plan(steps("in_progress")),
        userInput([
          {
            id: "colour",
            header: "Colour",
            question: "Which colour?",
            options: [
              { label: "Red", description: "warm" },
              { label: "Blue", description: "cold" },
            ],
          },
        ]),
        plan(steps("completed")),
        reply("Blue it is."),
      ],
    });
    await using terminal = await Terminal.open(["run", "Paint"], { cwd: user.folder, env: user.env });
    await terminal.shows("Which colour?");
    await terminal.key("Down");
    await terminal.key("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(JSON.stringify(user.fake.requests.at(-1))).toContain("Blue");
    expect(await terminal.text()).toMatch(/\[x\] look around\n {2}\[ \] do the work\n/);
  },
  { ...PINNED, against: "fake" },
);

verifiesHere(
  "cli.run.terminal",
  "colours: are used on a terminal, and not with NO_COLOR",
  async () => {
    await using world = await realWorld([
      exec("echo hi"),
      reply("**Yes**."),
      exec("echo hi"),
      reply("**Yes**."),
    ]);
    const { folder: cwd, env } = world;
    const args = ["run", "--sandbox", "danger-full-access", "Say hi"];
    await using coloured = await Terminal.open(args, { cwd, env: { ...env, NO_COLOR: undefined } });
    expect(await coloured.exitCode()).toBe(0);
    expect(await coloured.colouredText()).toContain("\u001B[1mecho hi");
    await using plain = await Terminal.open(args, { cwd, env: { ...env, NO_COLOR: "1" } });
    expect(await plain.exitCode()).toBe(0);
    const text = await plain.colouredText();
    expect(text).toContain("**Yes**.");
    expect(text).not.toContain("\u001B");
  },
  PINNED,
);

verifiesHere(
  "cli.exec",
  "exec on a terminal: the command gets its own terminal of the same size, and every key",
  async () => {
    await using world = await realWorld([]);
    const { folder: cwd, env } = world;
    const script = 'test -t 0 && stty size && read -r line && echo "got $line" && exit 3';
    const args = ["exec", "--sandbox", "danger-full-access", "--", "sh", "-c", script];
    await using terminal = await Terminal.open(args, { cwd, env, columns: 90, rows: 30 });
    await terminal.shows("30 90");
    await terminal.type("a line");
    await terminal.key("Enter");
    await terminal.shows("got a line");
    expect(await terminal.exitCode()).toBe(3);
  },
  PINNED,
);

verifiesHere(
  "cli.exec",
  "exec on a terminal: passes a new size and Ctrl-C to the command",
  async () => {
    await using world = await realWorld([]);
    const { folder: cwd, env } = world;
    const script = `trap 'stty size' WINCH; trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.05; done`;
    const args = ["exec", "--sandbox", "danger-full-access", "--", "sh", "-c", script];
    await using terminal = await Terminal.open(args, { cwd, env, columns: 90, rows: 30 });
    await terminal.shows("ready");
    await terminal.resize(70, 20);
    await terminal.shows("20 70");
    await terminal.key("C-c");
    await terminal.shows("caught");
    expect(await terminal.exitCode()).toBe(9);
  },
  PINNED,
);

verifiesHere(
  "cli.threads",
  "threads on a terminal: resume asks for the task, list fits the width, and delete asks for confirmation",
  async () => {
    await using world = await realWorld([reply("One."), reply("Two.")]);
    const { folder: cwd, env } = world;
    await using first = await Terminal.open(["run", "Begin"], { cwd, env });
    expect(await first.exitCode()).toBe(0);
    const id = /--resume (\S+)/.exec(await first.text())?.[1] ?? "";
    await using second = await Terminal.open(["threads", "resume", id], { cwd, env });
    await second.shows("What should Codex do?");
    await second.type("More");
    await second.key("Enter");
    expect(await second.exitCode()).toBe(0);
    expect(await second.text()).toContain("Two.");
    await using list = await Terminal.open(["threads", "list"], { cwd, env, columns: 78 });
    expect(await list.exitCode()).toBe(0);
    const table = (await list.text()).split("[exit")[0] ?? "";
    expect(table).toContain(`${id}  just now  `);
    expect(Math.max(...table.split("\n").map((line) => line.length))).toBeLessThanOrEqual(78);
    await using third = await Terminal.open(["threads", "delete", id], { cwd, env });
    await third.shows("permanently?");
    await third.type("n");
    expect(await third.exitCode()).toBe(130);
    await using fourth = await Terminal.open(["threads", "delete", id], { cwd, env });
    await fourth.shows("permanently?");
    await fourth.type("y");
    expect(await fourth.exitCode()).toBe(0);
  },
  PINNED,
);

verifiesHere(
  ["cli.run.questions", "cli.threads"],
  "a secret question in a resumed thread: is asked, and hides the typed answer",
  async () => {
    const secret = { id: "pin", header: "PIN", question: "Which is it?", isSecret: true };
    await using user = await newUser({
      model: [reply("Begun."), toolCall("request_user_input", { questions: [secret] }), reply("Thanks.")],
    });
    const { stderr } = await user.run(["run", "Begin"]);
    const id = /--resume (\S+)/.exec(stderr)?.[1] ?? "";
    const args = ["threads", "resume", id, "Go on"];
    await using terminal = await Terminal.open(args, { cwd: user.folder, env: user.env });
    await terminal.shows("PIN: Which is it?");
    await terminal.type("s3cret");
    await terminal.key("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(JSON.stringify(user.fake.requests.at(-1))).toContain("s3cret");
    expect(await terminal.text()).not.toContain("s3cret");
  },
  { ...PINNED, against: "fake" },
);

verifiesHere(
  ["cli.run.elicitations", "cli.review"],
  "a review on a terminal: the user chooses several options when an MCP server asks",
  async () => {
    const properties = {
      parts: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, maxItems: 2 },
    };
    const requestedSchema = { type: "object", properties, required: ["parts"] };
    let given: unknown;
    const call: FakeMcpTool["call"] = async (_, { elicit }) => {
      given = await elicit({ message: "Which parts?", requestedSchema });
      return "thanks";
    };
    const tools = [{ name: "ask", annotations: { readOnlyHint: true }, call }];
    await using user = await newUser({
      model: [mcpCall("parts", "ask", {}), reply("Fine.")],
      mcpServers: { parts: { tools } },
    });
    await using terminal = await Terminal.open(["review", "--instructions", "Look"], {
      cwd: user.folder,
      env: user.env,
    });
    await terminal.shows("Answer it?");
    await terminal.type("y");
    await terminal.shows("Space: select");
    for (const key of ["Space", "Down", "Space", "Down", "Space", "Enter"]) await terminal.key(key);
    await terminal.shows("[choose 1 to 2]");
    for (const key of ["Space", "Down", "Down", "Space", "Enter"]) await terminal.key(key);
    expect(await terminal.exitCode()).toBe(0);
    expect(given).toEqual({ action: "accept", content: { parts: ["a", "c"] } });
  },
  { ...PINNED, against: "fake" },
);
