/** A conversation of several turns, continued by another process, forked, and found again. */
import { CodexClient } from "codexwright";

const id = await firstDay();
await secondDay(id);

async function firstDay(): Promise<string> {
  // #region start
  await using codex = await CodexClient.connect();
  const thread = await codex.startThread();

  const first = await thread.run("Add a test for the parser.");
  console.log(first.agentMessage);

  const second = await thread.run("Now make it pass.");
  console.log(second.agentMessage, second.usage?.totalTokens, second.diff);
  // #endregion start

  await thread.setName("The parser's test");

  // #region override
  await thread.run("Look at it again, carefully.", { effort: "high" });
  await thread.run("Is it good now?"); // Still "high": overrides stay.
  // #endregion override

  // #region items
  for (const item of second.items) {
    switch (item.type) {
      case "fileChange":
        console.log("changed", item.changes.length, "file(s)");
        break;
      case "commandExecution":
        console.log("ran", item.command, "with exit code", item.exitCode);
        break;
      default:
        console.log(item.type);
    }
  }
  // #endregion items
  return thread.id;
}

async function secondDay(threadId: string): Promise<void> {
  // #region resume
  await using codex = await CodexClient.connect();
  const thread = await codex.resumeThread(threadId, { sandbox: "workspace-write" });
  console.log(thread.name, "has", thread.state.turns.length, "turns");
  console.log((await thread.run("What did we do yesterday?")).agentMessage);
  // #endregion resume

  // #region more
  const other = await thread.fork();
  console.log((await other.run("Try it without regular expressions.")).agentMessage);
  console.log(other.forkedFromId === thread.id, other.state.turns.length, thread.state.turns.length);

  for await (const { name, preview } of codex.threads({ limit: 20 })) {
    console.log("stored:", name ?? preview);
  }

  await other.revert({ numTurns: 1 });
  await other.archive();
  // #endregion more
}
