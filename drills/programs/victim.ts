/** `victim.js <options as JSON>`: a program that uses the library and is killed; it says `ready` when it works. */
import { CodexClient, type CodexClientOptions } from "codexwright";
import { realAppServer, scriptedModel } from "codexwright/testing";

export interface VictimOptions {
  readonly work: "turn" | "command" | "terminal" | "listen";
  readonly client: Pick<CodexClientOptions, "codexHome" | "cwd" | "sandbox">;
}

const { work, client } = JSON.parse(process.argv[2] ?? "{}") as VictimOptions;
if (work === "listen") {
  const model = await scriptedModel([]);
  await realAppServer({ model, listen: "unix" });
  console.log("ready");
} else {
  const codex = await CodexClient.connect(client);
  if (work === "turn") {
    const thread = await codex.startThread();
    thread.turn("go");
  } else {
    const running = codex.exec(["sh", "-c", "echo running; sleep 600"], {
      tty: work === "terminal",
      sandboxPolicy: { type: work === "terminal" ? "dangerFullAccess" : "readOnly" },
    });
    running.result.catch(() => {});
    for await (const _chunk of running.stdout) console.log("ready");
  }
}
// It has to be killed.
setInterval(() => {}, 60_000);
