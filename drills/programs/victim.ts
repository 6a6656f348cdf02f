/**
 * `victim.js <options as JSON>`: a program that uses the library and gets killed. It prints `ready` when its
 * work runs.
 */
import { CodexClient, type CodexClientOptions } from "codexwright";
import { realAppServer, scriptedModel } from "@codexwright/testing";

export interface VictimOptions {
  /**
   * `kept` sends a command as soon as it can, prints `ready` after sending it, and ends when its server is
   * gone.
   */
  readonly work: "turn" | "command" | "terminal" | "listen" | "kept";
  readonly client: Pick<CodexClientOptions, "codexHome" | "cwd" | "sandbox">;
  /** The command of `kept`. */
  readonly command?: readonly string[];
  readonly fullAccess?: boolean;
}

const {
  work,
  client,
  command = [],
  fullAccess = false,
} = JSON.parse(process.argv[2] ?? "{}") as VictimOptions;
if (work === "listen") {
  const model = await scriptedModel([]);
  await realAppServer({ model, listen: "unix" });
  console.log("ready");
} else {
  const codex = await CodexClient.connect(client);
  if (work === "turn") {
    const thread = await codex.startThread();
    thread.turn("go");
  } else if (work === "kept") {
    const sandboxPolicy = { type: fullAccess ? "dangerFullAccess" : "readOnly" } as const;
    const running = codex.exec(command, { sandboxPolicy });
    console.log("ready");
    await running.result.catch(() => {});
    await codex.disconnect();
    process.exit();
  } else {
    const running = codex.exec(["sh", "-c", "echo running; sleep 600"], {
      tty: work === "terminal",
      sandboxPolicy: { type: work === "terminal" ? "dangerFullAccess" : "readOnly" },
    });
    running.result.catch(() => {});
    for await (const _chunk of running.stdout) console.log("ready");
  }
}
// Stay alive until killed.
setInterval(() => {}, 60_000);
