/** One program for servers of different versions. */
import { CodexClient, type CodexError, UnsupportedError } from "codexwright";

// #region ask
await using codex = await CodexClient.connect();
console.log("codex", codex.server.version);

for (const method of ["thread/fork", "turn/steer", "fs/readFile", "thread/revert"])
  console.log(method, codex.supports(method));
// #endregion ask

// #region spellings
for (const sandbox of ["read-only", "readOnly"] as const)
  for (const approvalPolicy of ["untrusted", "unlessTrusted"] as const) {
    const thread = await codex.startThread({ sandbox, approvalPolicy });
    console.log(sandbox, approvalPolicy, (await thread.run("Say hello.")).agentMessage);
  }
// #endregion spellings

// #region unsupported
async function feed(): Promise<string> {
  try {
    return (await codex.exec(["cat"], { stdin: "fed\n" }).result).stdout.trim();
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return error.message; // Nothing was sent: use an alternative.
  }
}
console.log(await feed());

await codex
  .startThread({ approvalPolicy: "on-failure" })
  .then(() => console.log("on-failure is taken"))
  .catch(({ code, message }: CodexError) => console.log(`${code}: ${message}`));
// #endregion unsupported
