/** The same client for compilers and runtimes without `await using`. */
// #region all
import { CodexClient, type TurnResult } from "codexwright";

async function ask(question: string): Promise<TurnResult> {
  const codex = await CodexClient.connect();
  try {
    const thread = await codex.startThread();
    return await thread.run(question);
  } finally {
    await codex.disconnect();
  }
}

const { agentMessage } = await ask("Say hello.");
console.log(agentMessage);
// #endregion all
