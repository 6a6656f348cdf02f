import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { METHODS } from "codexwright/protocol";
import { fakeAppServer, fakeTarget, reasoning, scenarios } from "@codexwright/testing";
import { ConformanceRuns, conforms, WANTED } from "@codexwright/test-support/conformance";
import { verifies } from "@codexwright/test-support/verifies";

const inMemory = new ConformanceRuns(fakeTarget({ transport: "memory" }), scenarios);
const others = [{ transport: "websocket" }, { transport: "unix" }, { dialect: "0.98" }] as const;

for (const runs of [inMemory, ...others.map((each) => new ConformanceRuns(fakeTarget(each), scenarios))]) {
  conforms("conformance.scenarios", runs, "fake");
}

// Starting a process for every client is slow.
conforms("conformance.scenarios", new ConformanceRuns(fakeTarget({ transport: "stdio" }), WANTED), "fake");

const MESSAGES = [...Object.keys(METHODS.serverNotifications), ...Object.keys(METHODS.serverRequests)];

verifies(
  "testing.fake.faults.refused",
  "faults may name exactly the messages that the fake sends in the scenarios",
  async () => {
    const sent = await rawReasoning();
    for (const scenario of inMemory.scenarios) {
      for (const line of (await inMemory.of(scenario)).recording)
        if ("message" in line && line.direction === "in") sent.add(line.message["method"]);
    }
    const accepted: string[] = [];
    for (const on of MESSAGES) {
      try {
        await using _fake = fakeAppServer({
          model: [],
          cwd: import.meta.dirname,
          faults: [{ on, fault: "missing" }],
        });
        accepted.push(on);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_argument" });
      }
    }
    expect(accepted).toEqual(MESSAGES.filter((method) => sent.has(method)));
  },
  { against: "fake", timeoutMs: 90_000 },
);

/** The messages of a turn with raw reasoning. Codex sends none by default, so no scenario covers it. */
async function rawReasoning(): Promise<Set<unknown>> {
  await using fake = fakeAppServer({ model: [reasoning("summary", { content: "raw" })] });
  await using codex = await CodexClient.connect({ transport: fake.transport });
  const sent = new Set<unknown>();
  codex.onNotification("item/reasoning/textDelta", () => sent.add("item/reasoning/textDelta"));
  await (await codex.startThread()).run("think");
  return sent;
}
