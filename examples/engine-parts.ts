/** An app-server in this process, with a store and a sandbox that the program chooses. */
import { MemoryThreadStore, ThreadStoreError, type ResolvedPolicy, type Sandbox } from "@codexwright/engine";
import { bubblewrap, engine, sqliteStore } from "@codexwright/engine/node";
import { CodexClient } from "codexwright";

// #region store
function openStore(file: string) {
  try {
    return sqliteStore({ file });
  } catch (error) {
    if (error instanceof ThreadStoreError && error.reason === "no_sqlite") return new MemoryThreadStore();
    throw error;
  }
}

const store = openStore("threads.sqlite");
// #endregion store

// #region sandbox
const inner = bubblewrap();

function stricter(policy: ResolvedPolicy): ResolvedPolicy {
  const readOnlyPaths = [...policy.readOnlyPaths, `${process.cwd()}/migrations`];
  return { ...policy, readOnlyPaths, network: false };
}

const sandbox: Sandbox = {
  status: (policy) => inner.status(stricter(policy)),
  wrap: (command, policy) => inner.wrap(command, stricter(policy)),
};
// #endregion sandbox

// #region run
const options = { sandbox: "workspace-write", approvalPolicy: "never" } as const;
let threadId: string;
{
  await using codex = await CodexClient.connect({ transport: engine({ store, sandbox }), ...options });
  const thread = await codex.startThread();
  threadId = thread.id;
  for (const item of (await thread.run("Change the migration and write notes.")).items) {
    if (item.type === "commandExecution") console.log("command:", item.status, item.exitCode);
  }
}

{
  await using codex = await CodexClient.connect({ transport: engine({ store, sandbox }), ...options });
  const thread = await codex.resumeThread(threadId);
  console.log("again:", (await thread.run("What did you do?")).agentMessage);
}
if ("close" in store) await store.close();
// #endregion run
