/** A test with vitest, on the fake server. */
import { CodexClient, type CodexClientOptions } from "codexwright";
import { fakeAppServer, reply } from "@codexwright/testing";
import { expect, test } from "vitest";

// #region all
/** The program under test. Usually it is in its own file. */
async function greet(options: CodexClientOptions): Promise<string> {
  await using codex = await CodexClient.connect(options);
  const thread = await codex.startThread();
  return (await thread.run("Say hello.")).agentMessage;
}

test("greets", async () => {
  await using fake = fakeAppServer({ model: [reply("Hello.")] });
  expect(await greet({ transport: fake.transport })).toBe("Hello.");
  expect(fake.requests.map(({ lastUserText }) => lastUserText)).toEqual(["Say hello."]);
  expect(fake.unexpected).toEqual([]);
});
// #endregion all
