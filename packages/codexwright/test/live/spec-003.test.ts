import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { WireMessage } from "codexwright/rpc";
import { stdio } from "codexwright/stdio";
import {
  hang,
  realAppServer,
  reply,
  scriptedModel,
  toolCall,
  type ModelScript,
  type ModelResponse,
} from "@codexwright/testing";
import { soleBrowserLogin } from "@codexwright/test-support/browser-login";
import { verifies } from "@codexwright/test-support/verifies";
import { ExampleDesk } from "../spec-003/desk.ts";
import { EXCHANGES, FROM_SERVER } from "../spec-003/examples.ts";
import { DEVIATIONS, NEVER_SENT, UNHEARD } from "../spec-003/table.ts";
import { LineClient } from "@codexwright/test-support/line-client";
import { PINNED } from "@codexwright/test-support/world";

const REVIEW = JSON.stringify({
  findings: [],
  overall_correctness: "patch is correct",
  overall_explanation: "Looks solid overall.",
});

const PERMISSIONS = toolCall("request_permissions", {
  reason: "Select a workspace root",
  permissions: { file_system: { write: ["/tmp/elsewhere"] } },
});

const SKILL = "---\nname: skill-creator\ndescription: Create or update a Codex skill\n---\nWrite it.\n";

/** The part of a skill that the example of `skills/list` shows. */
const INTERFACE = `interface:
  display_name: Skill Creator
  short_description: Create or update a Codex skill
  icon_small: ./assets/icon.svg
  icon_large: ./assets/icon-large.svg
  brand_color: "#111111"
  default_prompt: Add a new skill for triaging flaky CI.
`;

/** The model's actions in an example, before it replies. */
const CALLS: Readonly<Record<string, ModelResponse>> = {
  "turn/start 30": hang(),
  "turn/start 33": toolCall("lookup_ticket", { id: "ABC-123" }),
  "turn/start 34": PERMISSIONS,
  "review/start 40": reply(REVIEW),
};

/** A world that starts a real server for each connection. */
async function wire(script: ModelScript) {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model, config: "[features]\nrequest_permissions_tool = true\n" });
  const clients: LineClient[] = [];
  const connect = async (): Promise<LineClient> => {
    const { codexHome, cwd, env } = server.clientOptions;
    const client = new LineClient(await stdio({ codexHome, cwd, env })(new AbortController().signal));
    clients.push(client);
    return client;
  };
  const dispose = async (): Promise<void> => {
    for (const client of clients) await client.hangUp();
    await server[Symbol.asyncDispose]();
    await model.close();
  };
  return { connect, server, [Symbol.asyncDispose]: dispose };
}

const turnOf = ({ result }: WireMessage): string => (result as { turn: { id: string } }).turn.id;
const threadOf = ({ result }: WireMessage): string => (result as { thread: { id: string } }).thread.id;

verifies(
  "spec-003.examples",
  "sends every request of the README to 0.166.0 as it is written, and the table lists all deviations of answers and notifications",
  async () => {
    let example = "";
    await using live = await wire(({ input }) => {
      const answered = String(input.at(-1)?.["type"]).endsWith("_output");
      return (answered ? undefined : CALLS[example]) ?? reply("ok");
    });
    const { connect, server } = live;
    const { workspace, codexHome } = server;
    execFileSync("git", ["init", "-q", workspace]);
    const skill = path.join(codexHome, "skills/skill-creator/SKILL.md");
    mkdirSync(path.dirname(skill), { recursive: true });
    writeFileSync(skill, SKILL);
    mkdirSync(path.join(skill, "../agents"));
    writeFileSync(path.join(skill, "../agents/openai.yaml"), INTERFACE);
    // Initialization: each form on its own connection.
    const sent = new Set<string>();
    for (const key of ["initialize 0", "initialize 1"]) {
      const other = await connect();
      expect((await new ExampleDesk(other).send(key)).result).toMatchObject({
        userAgent: expect.any(String),
        codexHome,
        platformFamily: expect.any(String),
        platformOs: expect.any(String),
      });
      sent.add(key);
      other.write({ method: "initialized" });
      await other.ask("thread/start", {});
      // Only the second form opts out. The notification may come after the answer to another request.
      if (key === "initialize 0") await other.told("thread/started");
      await other.ask("thread/loaded/list", {});
      expect(other.methods.includes("thread/started")).toBe(key === "initialize 0");
      await other.hangUp();
    }
    const client = await connect();
    const desk = new ExampleDesk(client);
    for (const [name, value] of [
      ["/Users/me/project", workspace],
      ["/Users/me/other-project", path.join(workspace, "other-project")],
      ["/Users/me/shared-skills", path.join(workspace, "shared-skills")],
      ["/Users/me/.codex", codexHome],
      ["/Users/alice/.codex", codexHome],
      ["/tmp/example", path.join(workspace, "example")],
      ["sk-…", "sk-example"],
    ] as const) {
      desk.names.set(name, value);
    }

    await desk.send("initialize 1 #2");
    client.write({ method: "initialized" });

    // A thread and its turns.
    await desk.send("thread/start 10");
    const spelled = { sandbox: "workspace-write" };
    await desk.amended("thread/start 10", (params) => ({ ...params, ...spelled }));
    const started = await desk.amended("thread/start 10", (params) => ({
      ...params,
      ...spelled,
      dynamicTools: (params["dynamicTools"] as object[]).map((tool) => ({ ...tool, deferLoading: false })),
    }));
    const threadId = threadOf(started);
    for (const name of ["thr_123", "thr_b", "thread-1"]) desk.names.set(name, threadId);
    example = "turn/start 30";
    await desk.send(example);
    const turn = await desk.amended("turn/start 30", (params) => ({
      ...params,
      approvalPolicy: "untrusted",
    }));
    desk.names.set("turn_456", turnOf(turn));
    await desk.heard("turn/started");
    await desk.send("turn/steer 32");
    let from = desk.place;
    await desk.send("turn/interrupt 31");
    const ended = await desk.heard("turn/completed", from);
    expect(ended.params).toMatchObject({ turn: { id: turnOf(turn), status: "interrupted" } });
    await desk.send("thread/backgroundTerminals/clean 35");

    // Turns in which the server sends requests.
    for (const key of [
      "turn/start 33",
      "turn/start 34",
      "turn/start 35",
      "turn/start 101",
      "turn/start 51",
    ]) {
      from = desk.place;
      example = key;
      const id = turnOf(await desk.send(key));
      const asks = { "turn/start 33": "item/tool/call", "turn/start 34": "item/permissions/requestApproval" }[
        key
      ];
      if (asks !== undefined) {
        const request = await desk.heard(asks, from);
        desk.names.set("turn_123", id);
        desk.answer(asks, request);
      }
      await desk.heard("turn/completed", from, (params: { turn: { id: string } }) => params.turn.id === id);
    }

    // The thread as a whole.
    from = desk.place;
    example = "review/start 40";
    await desk.send(example);
    await desk.heard("turn/completed", from);
    example = "";
    await desk.send("thread/resume 11");
    await desk.send("thread/fork 12");
    const fork = await desk.amended("thread/fork 12", (params) => ({ ...params, excludeTurns: true }));
    desk.names.set("thr_456", threadOf(fork));
    await desk.send("thread/loaded/list 21");
    await desk.amended("thread/loaded/list 21", () => ({}));
    await desk.send("app/list 50");
    await desk.send("thread/metadata/update 24");
    await desk.send("thread/metadata/update 25");
    for (const key of ["thread/shellCommand 26", "thread/compact/start 25"]) {
      from = desk.place;
      await desk.send(key);
      await desk.heard("turn/completed", from);
    }
    await desk.send("thread/unsubscribe 22");
    const { result: loaded } = await desk.ask({ id: 900, method: "thread/loaded/list", params: {} });
    if ((loaded as { data: string[] }).data.includes(threadId)) {
      desk.found["thread/unsubscribe 22"] = ["the thread stays loaded"];
    }
    await desk.send("thread/archive 21");
    await desk.heard("thread/archived");
    await desk.send("thread/unarchive 24");
    await desk.heard("thread/unarchived");
    for (const key of ["thread/list 20", "thread/read 22", "thread/read 23"]) await desk.send(key);

    // Commands and files.
    await desk.send("command/exec 32");
    await desk.amended("command/exec 32", (params) => ({ ...params, size: undefined }));
    const shell = desk.send("command/exec 33");
    await desk.heard("command/exec/outputDelta");
    const writes = ["command/exec/write 34", "command/exec/resize 36", "command/exec/write 35"];
    for (const key of writes) await desk.send(key);
    await shell;
    // The end of stdin ends the shell, so that another shell is needed to terminate one.
    from = desk.place;
    const second = desk.send("command/exec 33");
    await desk.heard("command/exec/outputDelta", from);
    await desk.send("command/exec/terminate 37");
    await second;
    for (const key of ["fs/createDirectory 40", "fs/writeFile 41", "fs/getMetadata 42", "fs/readFile 43"]) {
      await desk.send(key);
    }
    await desk.send("fs/watch 44");
    const watchId = "0195ec6b-1d6f-7c2e-8c7a-56f2c4a8b9d1";
    await desk.amended("fs/watch 44", (params) => ({ ...params, watchId }));
    writeFileSync(path.join(workspace, ".git/HEAD"), "ref: refs/heads/other\n");
    await desk.heard("fs/changed");
    await desk.send("fs/unwatch 45");

    // Skills, apps and the account.
    await desk.send("skills/list 25");
    writeFileSync(skill, `${SKILL}Again.\n`);
    await desk.heard("skills/changed");
    await desk.send("skills/config/write 26");
    await desk.send("skills/config/write 27");
    await desk.send("account/read 1");
    await desk.send("account/login/start 2");
    await desk.heard("account/updated");
    await desk.send("account/rateLimits/read 7");
    await desk.send("account/logout 6");
    {
      await using _alone = await soleBrowserLogin();
      const login = await desk.send("account/login/start 3");
      desk.names.set("<uuid>", (login.result as { loginId: string }).loginId);
      from = desk.place;
      await desk.send("account/login/cancel 5");
      await desk.heard("account/login/completed", from);
    }

    const unheard = desk.compareNotifications();
    expect(desk.found).toEqual(
      Object.fromEntries(Object.entries(DEVIATIONS).map(([key, { found }]) => [key, found])),
    );
    expect(unheard.toSorted()).toEqual(Object.keys(UNHEARD).toSorted());
    const missing = EXCHANGES.filter(
      ({ key, request }) => !sent.has(key) && !desk.sent.has(key) && !FROM_SERVER.has(request.method),
    );
    expect(missing.map(({ key }) => key)).toEqual(Object.keys(NEVER_SENT));
    for (const method of FROM_SERVER) expect(desk.answered).toContain(method);
  },
  { ...PINNED, timeoutMs: 120_000 },
);
