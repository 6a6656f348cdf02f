/** A server that is started by a command, and killed when its lease is over. */
import { CodexClient, type CodexError } from "codexwright";
import { findCodex, ServerLease } from "codexwright/stdio";

// #region lease
const lease = new ServerLease(30_000);
await using codex = await CodexClient.connect({ command: [findCodex().command, "app-server"], lease });
const renewal = setInterval(() => lease.renew(30_000), 10_000);

const thread = await codex.startThread();
console.log((await thread.run("Say hello.")).agentMessage);
// #endregion lease

// #region over
clearInterval(renewal);
lease.renew(100);
await new Promise((resolve) => codex.on("exit", resolve));
await thread.run("Still there?").catch(({ code, message }: CodexError) => console.log(`${code}: ${message}`));
lease.renew(30_000);
console.log(lease.remainingMs);
// #endregion over
