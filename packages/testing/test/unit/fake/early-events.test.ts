import { expect } from "vitest";
import { fakeAppServer, hang, reply, type DialectName, type FakeAppServer } from "@codexwright/testing";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { namesOf, RawClient } from "./raw.ts";

const FAKE: VerifiesOptions = { against: "fake", timeoutMs: 30_000 };
const INPUT = [{ type: "text", text: "go" }];
const UNKNOWN = "019a0000-0000-7000-8000-000000000000";
const SIGNAL = new AbortController().signal;

function early(on: string, dialect: DialectName = "current"): FakeAppServer {
  const model = on === "turn/interrupt" ? [hang()] : (): ReturnType<typeof reply> => reply("done");
  return fakeAppServer({ model, dialect, faults: [{ on, fault: "earlyEvents" }] });
}

const REFUSED: Readonly<Record<string, object>> = {
  "thread/start": { cwd: 5 },
  "thread/resume": {},
  "thread/fork": {},
  "turn/start": { input: INPUT },
  "turn/interrupt": { turnId: "x" },
  "review/start": { target: { type: "uncommittedChanges" } },
  "thread/compact/start": {},
  "thread/shellCommand": { command: "true" },
};

for (const [on, params] of Object.entries(REFUSED)) {
  verifies(
    "testing.fake.faults",
    `sends a rejection of ${on} immediately, because no events follow it`,
    async () => {
      await using fake = early(on);
      await using client = await RawClient.connect(await fake.transport(SIGNAL));
      const answer = await client.request(1, on, { threadId: UNKNOWN, ...params });
      expect(answer.error?.code).toBeLessThan(-32_000);
    },
    FAKE,
  );
}

verifies(
  "testing.fake.faults",
  "the answer to an interrupt arrives after the end of the turn",
  async () => {
    await using fake = early("turn/interrupt");
    await using client = await RawClient.connect(await fake.transport(SIGNAL));
    const { result } = await client.request(1, "thread/start", {});
    const threadId = result?.thread.id;
    await client.request(2, "turn/start", { threadId, input: INPUT });
    await fake.request(0);
    await client.request(3, "turn/interrupt", { threadId, turnId: "" });
    expect(namesOf(client.read).slice(-2)).toEqual(["turn/completed", "answer 3"]);
  },
  FAKE,
);

verifies(
  "testing.fake.faults",
  "sends the answer even if fewer events than usual follow it",
  async () => {
    // In this dialect, no events follow the answer.
    await using fake = early("thread/resume", "2025-11");
    await using client = await RawClient.connect(await fake.transport(SIGNAL));
    const { result } = await client.request(1, "thread/start", {});
    const threadId = result?.thread.id;
    const completed = client.notification("turn/completed");
    await client.request(2, "turn/start", { threadId, input: INPUT });
    await completed;
    const resumed = await client.request(3, "thread/resume", { threadId });
    expect(resumed.result?.thread.id).toBe(threadId);
  },
  FAKE,
);
