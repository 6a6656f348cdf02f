/** A server that dies, and a client that recovers. */
import { CodexClient, type CodexError, CrashLoopError, TurnInterruptedError } from "codexwright";

await goOn();
await giveUp();

async function goOn(): Promise<void> {
  // #region connect
  await using codex = await CodexClient.connect({ reconnect: {} });
  codex.on("exit", ({ message }) => console.log("exit:", message));
  codex.on("reconnected", ({ version }) => console.log("reconnected:", version));
  codex.on("error", ({ code }) => console.log("error:", code));
  // #endregion connect

  // #region turn
  const thread = await codex.startThread();
  try {
    await thread.run("Work until the server dies.");
  } catch (error) {
    if (!(error instanceof TurnInterruptedError && error.recovered)) throw error;
    console.log(error.code, thread.state.turns.at(-1)?.status);
    console.log((await thread.run("See what is done, and go on.")).agentMessage);
  }
  // #endregion turn

  // #region gone
  const scratch = await codex.startThread({ ephemeral: true });
  const fresh = await codex.startThread();
  await scratch.run("Work until the server dies.").catch(({ code }: CodexError) => console.log(code));

  for (const lost of [scratch, fresh])
    await lost.run("Still there?").catch(({ code }: CodexError) => console.log(code));
  console.log((await thread.run("And you?")).agentMessage);
  // #endregion gone
}

async function giveUp(): Promise<void> {
  // #region loop
  await using codex = await CodexClient.connect({ reconnect: { attempts: 1 } });
  codex.on("error", ({ code, message }) => console.log(`error: ${code}: ${message}`));
  const thread = await codex.startThread();
  await thread.run("Work until the server dies.").catch(({ code }: CodexError) => console.log(code));
  await thread.run("Work until the server dies.").catch(({ code }: CodexError) => console.log(code));

  await codex.startThread().catch((error: unknown) => {
    if (error instanceof CrashLoopError) console.log(`${error.code} after ${error.attempts} losses`);
  });
  // #endregion loop
}
