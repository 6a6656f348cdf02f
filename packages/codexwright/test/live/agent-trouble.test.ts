import { expect } from "vitest";
import { z } from "zod";
import { AgentError, definePrompt, filesExist, section, type AgentOptions } from "codexwright/agent";
import { exec, fail, hang, reply, type ModelItem } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { ACCOUNT, accessToken, chatgptBackend } from "./chatgpt-backend.ts";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { killAll, PINNED, processesOf } from "@codexwright/test-support/world";

const sections = [section({ key: "a", title: "A", body: "Go." })];
const plain = definePrompt({ id: "plain", sections });
const OPENAI = "[model_providers.mock]\nrequires_openai_auth = true\n";
const json = (value: unknown): ModelItem => reply(JSON.stringify(value));

verifies(
  ["agent.R92", "agent.R94", "agent.R95", "agent.R99", "agent.R103", "agent.R105", "agent.R106", "agent.R90"],
  "a failed turn rejects with its phase and the server's error, and still emits prompt.executed once",
  async () => {
    const cases = [
      [fail(401), "request", "httpConnectionFailed"],
      [fail(429, { code: "usage_limit_reached" }), "budget", "usageLimitExceeded"],
      [fail(429), "request", "responseTooManyFailedAttempts"],
      [fail(500), "response", "internalServerError"],
      [fail(400), "response", "other"],
    ] as const;
    await using live = await agentWorld(cases.map(([step]) => step));
    for (const [, phase, info] of cases) {
      const run = live.agent.run(plain);
      const error = await rejection(run.result);
      expect(error).toBeInstanceOf(AgentError);
      expect(error).toMatchObject({ code: "turn_failed", phase, promptId: "plain", codex: { info } });
      expect((error as AgentError).codex?.message).toBe((error as AgentError).message);
      const ends = eventsOf(run, "prompt.executed");
      expect(ends).toMatchObject([{ error: { code: "turn_failed", phase } }]);
      expect(run.events.at(-1)).toBe(ends[0]);
    }
  },
  PINNED,
);

verifies(
  ["agent.run.spawn", "agent.R87", "agent.R106"],
  "runs share a server but get only their own events; when the server crashes, the runs fail, and the next run starts another server",
  async () => {
    const named = (name: string) =>
      definePrompt({ id: name, sections: [section({ key: "a", title: "A", body: name })] });
    let hold = false;
    await using live = await agentWorld((request) =>
      hold ? hang() : reply(`to ${request.lastUserText.split("\n").at(-1)}`, { deltas: 3 }),
    );
    const runs = ["one", "two", "three"].map((name) => live.agent.run(named(name)));
    const results = await Promise.all(runs.map(async ({ result }) => result));
    expect(results.map(({ text }) => text)).toEqual(["to one", "to two", "to three"]);
    for (const run of runs) {
      const { threadId, text } = await run.result;
      expect(new Set(run.events.slice(1).map((event) => event.threadId))).toEqual(new Set([threadId]));
      const deltas = eventsOf(run, "text.delta").map(({ delta }) => delta);
      expect(deltas.join("")).toBe(text);
    }
    expect(live.connects).toBe(1);

    hold = true;
    const lost = [live.agent.run(plain), live.agent.run(plain)];
    await live.model.request(4);
    killAll(processesOf(live.server.root));
    for (const { result } of lost) {
      expect(await rejection(result)).toMatchObject({ code: "connection_closed", phase: "response" });
    }
    hold = false;
    expect((await live.agent.run(plain).result).text).toBe("to Go.");
    expect(live.connects).toBe(2);
  },
  PINNED,
);

verifies(
  ["agent.R13", "agent.R23", "agent.R81"],
  "sends an API key after the handshake, and reports a rejected key as an error of phase `request`",
  async () => {
    await using live = await agentWorld(() => reply("done"), {
      config: OPENAI,
      agent: { auth: { apiKey: "sk-agent-secret-0123456789" } },
    });
    await live.agent.run(plain).result;
    const methods = live
      .wire()
      .flatMap(({ direction, message }) => (direction === "out" ? [message["method"]] : []));
    expect(methods.indexOf("account/login/start")).toBeGreaterThan(methods.indexOf("initialized"));
    expect(methods.indexOf("account/login/start")).toBeLessThan(methods.indexOf("thread/start"));
    expect(live.sent("account/login/start")).toMatchObject([{ type: "apiKey" }]);

    await using bad = await agentWorld([], { agent: { auth: { apiKey: " " } } });
    expect(await rejection(bad.agent.run(plain).result)).toMatchObject({ phase: "request" });
    await using refused = await agentWorld([], {
      agent: { auth: { chatgpt: { accessToken: "nonsense", accountId: "x" } } },
    });
    expect(await rejection(refused.agent.run(plain).result)).toMatchObject({
      code: "auth_failed",
      phase: "request",
    });
  },
  PINNED,
);

verifies(
  ["agent.R23", "agent.R82"],
  "logs in with tokens, and provides new ones when the server asks",
  async () => {
    const asked: string[] = [];
    await using backend = await chatgptBackend();
    await using live = await agentWorld(({ index }) => (index === 0 ? fail(401) : reply("welcome")), {
      config: `chatgpt_base_url = "${backend.url}"\n${OPENAI}`,
      agent: {
        auth: {
          chatgpt: { accessToken: accessToken("old"), accountId: ACCOUNT, planType: "pro" },
          refresh: (reason) => {
            asked.push(reason);
            return { accessToken: accessToken("renewed"), accountId: ACCOUNT };
          },
        },
      },
    });
    // The run that receives the 401 may fail: the server also tries to refresh other data, but it has no network.
    await live.agent.run(plain).result.catch(() => {});
    expect(asked).toEqual(["unauthorized"]);
    expect((await live.agent.run(plain).result).text).toBe("welcome");
    expect(live.sent("account/login/start")).toMatchObject([
      { type: "chatgptAuthTokens", chatgptAccountId: ACCOUNT },
    ]);
  },
  PINNED,
);

verifies(
  ["agent.R19", "agent.R20", "agent.R88", "agent.R89", "agent.run.approvals"],
  "the callback decides approvals, or the policy if there is no callback; events report each decision; a declined action counts as failed",
  async () => {
    const touch = exec("touch todo.txt", { justification: "needs the file" });
    const runWith = async (agent: Partial<AgentOptions>) => {
      await using live = await agentWorld([touch, reply("done")], { agent });
      const run = live.agent.run(plain);
      await run.result.catch(() => {});
      const [start] = live.sent("thread/start");
      return {
        policy: start?.["approvalPolicy"],
        approvals: eventsOf(run, "approval").map(
          ({ request, decision }) => `${request.kind} ${JSON.stringify(decision)}`,
        ),
        invoked: eventsOf(run, "tool.invoked").map(({ ok, error }) => error?.kind ?? ok),
        end: run.events.at(-1),
      };
    };
    const asked: string[] = [];
    expect(
      await runWith({
        onApproval: (request) => {
          asked.push(request.kind === "command" ? (request.script ?? "") : "");
          return "accept";
        },
      }),
    ).toMatchObject({ policy: "on-request", approvals: ['command "accept"'], invoked: [true] });
    expect(asked).toEqual(["touch todo.txt"]);
    expect(await runWith({ approvalPolicy: "untrusted" })).toMatchObject({
      policy: "untrusted",
      approvals: ['command "decline"'],
      invoked: ["denied"],
    });
    expect(await runWith({ approvalPolicy: "on-request", onApproval: () => "cancel" })).toMatchObject({
      approvals: ['command "cancel"'],
      end: { type: "prompt.executed", error: { code: "turn_interrupted" } },
    });
    expect((await runWith({})).approvals).toEqual([]);
    expect((await runWith({ approvalPolicy: "on-failure" })).end).toMatchObject({
      error: { code: "unsupported", phase: "request" },
    });
  },
  PINNED,
);

verifies(
  ["agent.R60", "agent.run.repair", "agent.run.completion"],
  "asks the model to continue until the work is complete and the answer is valid, or fails the run",
  async () => {
    const report = definePrompt({
      id: "report",
      sections,
      output: z.object({ title: z.string().min(3) }),
      completion: filesExist("report.md"),
    });
    await using live = await agentWorld([
      json({ title: "too early" }),
      exec("echo text > report.md"),
      json({ title: "x" }),
      json({ title: "fine" }),
      json({ title: "y" }),
      reply(""),
    ]);
    const run = live.agent.run(report, { repair: 1 });
    const { output, turns } = await run.result;
    expect(output).toEqual({ title: "fine" });
    expect(turns).toHaveLength(3);
    expect(live.sent("thread/start")).toHaveLength(1);
    expect(eventsOf(run, "prompt.continued").map(({ reason }) => reason)).toEqual(["completion", "output"]);
    expect(live.model.requests[1]?.lastUserText).toBe(
      "The work is not complete: report.md does not exist yet. Go on.",
    );
    const invalid = await rejection(live.agent.run(report).result);
    expect(invalid).toMatchObject({ code: "output_invalid", phase: "response", raw: '{"title":"y"}' });
    expect(await rejection(live.agent.run(report).result)).toMatchObject({
      code: "output_invalid",
      phase: "response",
      raw: "",
    });
  },
  PINNED,
);
