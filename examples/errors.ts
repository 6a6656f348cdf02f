/** Errors: what can go wrong, how to recognise it, and what to do about it. */
import {
  CodexClient,
  CodexError,
  ConnectionClosedError,
  TurnFailedError,
  TurnTimeoutError,
} from "codexwright";

// #region explain
function explain(error: unknown): string {
  if (error instanceof TurnFailedError) return `${error.code}: HTTP ${error.httpStatus}, ${error.message}`;
  if (error instanceof TurnTimeoutError) return `${error.code} by ${error.limit}: ${error.message}`;
  if (error instanceof CodexError) return `${error.code}: ${error.message}`;
  throw error; // Not an error of this library: a bug.
}
// #endregion explain

// #region retry
async function withRetry<T>(attempts: number, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (attempts <= 1 || !(error instanceof CodexError && error.retryable)) throw error;
    return await withRetry(attempts - 1, call);
  }
}
// #endregion retry

// #region turn
const codex = await CodexClient.connect();
const thread = await withRetry(3, () => codex.startThread());

try {
  const { agentMessage } = await thread.run("Say something.");
  console.log(agentMessage);
} catch (error) {
  console.log(explain(error));
}
// #endregion turn

// #region limits
await thread.run("Think it over.", { timeoutMs: 2_000 }).catch((error) => console.log(explain(error)));
await thread.run("Think it over.", { silenceMs: 1_000 }).catch((error) => console.log(explain(error)));

const signal = AbortSignal.timeout(500);
await thread.run("Think it over.", { signal }).catch((error) => console.log(explain(error)));
// #endregion limits

const turn = thread.turn("Think it over.");
await thread.run("And meanwhile?").catch((error) => console.log(explain(error)));
await turn.interrupt();
await turn.completed.catch((error) => console.log(explain(error)));

const unknown = codex.thread("01a1dee1-7664-7b61-90e2-23731fc5a095");
for (const call of [
  () => codex.startThread({}, { signal: AbortSignal.abort() }),
  () => unknown.run("Anybody?"),
  () => codex.request("thread/read", { threadId: unknown.id }),
])
  await call().catch((error: CodexError) => console.log(error.code, error.delivery));

// #region death
codex.on("exit", ({ message }) => console.log("exit:", message));
try {
  await thread.run("Work until the server dies.");
} catch (error) {
  if (!(error instanceof ConnectionClosedError)) throw error;
  console.log(error.code, error.exitSignal, error.delivery);
}
await codex.startThread().catch((error) => console.log(explain(error)));

await using again = await CodexClient.connect();
const resumed = await again.resumeThread(thread.id, { sandbox: "workspace-write" });
console.log("the last turn is", resumed.state.turns.at(-1)?.status);
console.log((await resumed.run("See what is done, and go on.")).agentMessage);
// #endregion death
