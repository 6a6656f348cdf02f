import path from "node:path";
import { hang, mcpCall, reply, toolCall, userInput, type ModelStep } from "@codexwright/testing";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { command } from "../support/command.ts";
import { jsonLines } from "../support/json-lines.ts";
import { PINNED, realWorld, verifiesHere, type RealWorld } from "../support/real-world.ts";
import { Terminal } from "../support/terminal.ts";

/** Enables the tools that ask, and starts an MCP server that asks. */
const CONFIG = `[features]
default_mode_request_user_input = true
request_permissions_tool = true
[mcp_servers.painter]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([path.join(import.meta.dirname, "../support/asking-mcp.mjs")])}
`;

const RUN = ["run", "--sandbox", "read-only", "--approval", "on-request"];

/** The form that the MCP server sends in most tests. Codex sorts the fields by name. */
const FORM = {
  message: "How shall it be painted?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "of the picture", minLength: 2 },
      colour: { type: "string", enum: ["red", "blue"], enumNames: ["Red", "Blue"] },
      copies: { type: "integer", minimum: 1, maximum: 9 },
      framed: { type: "boolean" },
      note: { type: "string" },
    },
    required: ["name", "colour", "copies", "framed"],
  },
};

const N_IS_3 = { type: "integer", default: 3 };

const PERMISSIONS = toolCall("request_permissions", {
  reason: "The build writes there.",
  permissions: { file_system: { write: ["out"] }, network: { enabled: true } },
});

const QUESTIONS = userInput([
  {
    id: "colour",
    header: "Colour",
    question: "Which one?",
    options: [
      { label: "Red", description: "warm" },
      { label: "Blue", description: "cold" },
    ],
  },
  {
    id: "size",
    header: "Size",
    question: "How large?",
    options: [
      { label: "Small", description: "as a stamp" },
      { label: "Large", description: "as a door" },
    ],
  },
]);

async function asked(steps: readonly ModelStep[]): Promise<RealWorld> {
  return await realWorld([...steps, reply("Done.")], CONFIG);
}

/** The result of the call that the model received. */
function output({ model }: RealWorld): string {
  return String(model.requests.at(-1)?.toolOutputs["call_0_0"]);
}

verifies(
  "cli.run.elicitations",
  "an MCP server's form on a terminal: is filled in field by field, and rejects invalid values",
  async () => {
    await using world = await asked([mcpCall("painter", "ask", FORM)]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Paint"], { cwd, env });
    const shown = await terminal.shows("Answer it?");
    expect(shown).toContain("MCP server painter\n  How shall it be painted?\n");
    expect(shown).toMatch(
      /y {2}fill in the form\n.*n {2}no, continue without it\n.*c {2}leave it unanswered/,
    );
    await terminal.type("y");
    await terminal.shows(/Red\s+.*Blue/);
    await terminal.key("Down");
    await terminal.key("Enter");
    await terminal.shows("copies");
    await terminal.type("12");
    await terminal.key("Enter");
    await terminal.shows("Must be ≤ 9.");
    await terminal.key("BSpace");
    await terminal.key("Enter");
    await terminal.shows("framed");
    await terminal.key("Right");
    await terminal.key("Enter");
    await terminal.shows("Name: of the picture");
    await terminal.type("S");
    await terminal.key("Enter");
    await terminal.shows("Enter at least 2 characters");
    await terminal.type("ea");
    await terminal.key("Enter");
    await terminal.shows("note (optional)");
    await terminal.key("Enter");
    expect(await terminal.exitCode()).toBe(0);
    const [, answer = ""] = /answer: (.*)$/m.exec(output(world)) ?? [];
    const content = { name: "Sea", colour: "blue", copies: 1, framed: false };
    expect(JSON.parse(answer)).toEqual({ action: "accept", content });
  },
  PINNED,
);

verifiesHere(
  ["cli.run.elicitations", "cli.run.interrupt"],
  "an MCP server's question on a terminal: a key declines it, and Ctrl-C in its form stops the turn",
  async () => {
    await using world = await realWorld(
      [mcpCall("painter", "ask", FORM), reply("Then not."), mcpCall("painter", "ask", FORM), hang()],
      CONFIG,
    );
    const { folder: cwd, env } = world;
    await using first = await Terminal.open([...RUN, "Paint"], { cwd, env });
    await first.shows("Answer it?");
    await first.type("n");
    expect(await first.exitCode()).toBe(0);
    expect(output(world)).toContain('"action":"decline"');
    await using second = await Terminal.open([...RUN, "Paint"], { cwd, env });
    await second.shows("Answer it?");
    await second.type("y");
    await second.shows("colour");
    await second.key("C-c");
    expect(await second.exitCode()).toBe(130);
  },
  PINNED,
);

verifiesHere(
  "cli.run.elicitations",
  "an MCP server's page on a terminal: is shown, and the user opens it",
  async () => {
    const page = {
      mode: "url",
      message: "Log in there.",
      url: "https://paint.example/in",
      elicitationId: "1",
    };
    await using world = await asked([mcpCall("painter", "ask", page)]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Paint"], { cwd, env });
    const shown = await terminal.shows("Answer it?");
    expect(shown).toContain("MCP server painter\n  Log in there.\n  https://paint.example/in\n");
    expect(shown).toContain("y  yes, I will open this page");
    await terminal.type("y");
    expect(await terminal.exitCode()).toBe(0);
    expect(await terminal.text()).toMatch(/I will open this page\n\ntool painter\.ask /);
    expect(output(world)).toContain('"action":"accept"');
  },
  PINNED,
);

verifiesHere(
  "cli.run.permissions",
  "permissions on a terminal: are shown with the reason, and a key grants them for the session or declines them",
  async () => {
    await using world = await realWorld([PERMISSIONS, reply("Yes."), PERMISSIONS, reply("No.")], CONFIG);
    const { folder: cwd, env } = world;
    await using first = await Terminal.open([...RUN, "Build"], { cwd, env });
    const shown = await first.shows("Grant these permissions?");
    expect(shown).toContain(
      "permissions beyond the sandbox\n  write  out\n  reach  the network\n  The build writes there.\n",
    );
    await first.type("a");
    expect(await first.exitCode()).toBe(0);
    expect(JSON.parse(output(world))).toMatchObject({
      scope: "session",
      permissions: { network: { enabled: true }, file_system: { write: [path.join(cwd, "out")] } },
    });
    await using second = await Terminal.open([...RUN, "Build"], { cwd, env });
    await second.shows("Grant these permissions?");
    await second.type("n");
    expect(await second.exitCode()).toBe(0);
    expect(JSON.parse(String(world.model.requests.at(-1)?.toolOutputs["call_2_0"]))).toMatchObject({
      permissions: { network: null, file_system: null },
    });
  },
  PINNED,
);

verifiesHere(
  "cli.run.questions",
  "questions on a terminal: one is answered by a choice, another by typed text",
  async () => {
    await using world = await asked([QUESTIONS]);
    const { folder: cwd, env } = world;
    await using terminal = await Terminal.open([...RUN, "Paint"], { cwd, env });
    await terminal.shows("Colour: Which one?");
    await terminal.key("Down");
    await terminal.key("Enter");
    await terminal.shows("Something else");
    await terminal.key("Up");
    await terminal.key("Enter");
    await terminal.shows(/How large\?[^]*How large\?/);
    await terminal.type("as a house");
    await terminal.key("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(JSON.parse(output(world))).toEqual({
      answers: { colour: { answers: ["Blue"] }, size: { answers: ["as a house"] } },
    });
  },
  PINNED,
);

verifiesHere(
  ["cli.run.elicitations", "cli.run.permissions", "cli.run.questions", "cli.json"],
  "without a terminal: everything is declined, and every decision is a documented line",
  async () => {
    const steps = [mcpCall("painter", "ask", FORM), PERMISSIONS, QUESTIONS];
    await using world = await asked(steps);
    const { folder: cwd, env } = world;
    const { exitCode, stdout } = await command([...RUN, "--json", "Do it"], { cwd, env });
    expect(exitCode).toBe(0);
    const decisions = (await jsonLines(stdout)).filter(({ type }) => type === "approval");
    expect(decisions.map(({ kind, decision, by }) => [kind, decision, by])).toEqual([
      ["elicitation", "decline", "rule"],
      ["permissions", "decline", "rule"],
      ["userInput", "decline", "rule"],
    ]);
    const told = world.model.requests.at(-1)?.toolOutputs ?? {};
    expect(told["call_0_0"]).toContain('"action":"decline"');
    expect(told["call_2_0"]).toContain("No user is available to answer");
  },
  PINNED,
);

verifiesHere(
  ["cli.run.elicitations", "cli.run.permissions"],
  "with --yes: permissions are granted for the turn, and a form is accepted if its defaults suffice",
  async () => {
    const filled = { message: "Sure?", requestedSchema: { type: "object", properties: { n: N_IS_3 } } };
    await using world = await asked([
      mcpCall("painter", "ask", filled),
      mcpCall("painter", "ask", FORM),
      PERMISSIONS,
    ]);
    const { folder: cwd, env } = world;
    const { exitCode, stderr } = await command([...RUN, "--yes", "Do it"], { cwd, env });
    expect(exitCode).toBe(0);
    const told = world.model.requests.at(-1)?.toolOutputs ?? {};
    expect(told["call_0_0"]).toContain('"content":{"n":3}');
    expect(told["call_1_0"]).toContain('"action":"decline"');
    expect(stderr).toContain("Declined a request from painter: there is no terminal to ask on.");
    expect(JSON.parse(told["call_2_0"] ?? "{}")).toMatchObject({
      scope: "turn",
      permissions: { network: { enabled: true } },
    });
  },
  PINNED,
);
