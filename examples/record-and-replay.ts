/** Records a session, replays it without a server, and compares it with another one. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodexClient, type TransportFactory } from "codexwright";
import { stdio } from "codexwright/stdio";
import {
  compareTranscripts,
  NOISE,
  normalize,
  readRecording,
  record,
  replay,
  ReplayMismatchError,
  type RecordingLine,
} from "codexwright/recording";

// #region program
async function ask(transport: TransportFactory, question: string, deployToken: string): Promise<string> {
  await using codex = await CodexClient.connect({ transport });
  const thread = await codex.startThread({
    config: { "shell_environment_policy.set": { DEPLOY_TOKEN: deployToken } },
  });
  return (await thread.run(question)).agentMessage;
}
// #endregion program

// #region record
const folder = await mkdtemp(join(tmpdir(), "recordings-"));
const file = join(folder, "hello.ndjson");
console.log("lived:", await ask(record(stdio(), file), "Say hello.", "hunter2-and-more"));
// #endregion record

// #region replay
await using server = replay(file);
console.log("replayed:", await ask(server, "Say hello.", "another-token"));
await server.done;
// #endregion replay

// #region mismatch
const strict = replay(file);
await ask(strict, "Say goodbye.", "hunter2-and-more").catch(() => {});
await strict.done.catch((error: unknown) => {
  if (error instanceof ReplayMismatchError) console.log(`${error.code}: ${error.message}`);
});
// #endregion mismatch

// #region secrets
const secret = "the name of the project";
const safe = join(folder, "safe.ndjson");
await ask(
  record(stdio(), safe, { secrets: [secret, /PRJ-\d+/] }),
  `What is ${secret}, PRJ-17?`,
  "hunter2-and-more",
);
const text = await readFile(safe, "utf8");
console.log(["hunter2-and-more", secret, "PRJ-17"].filter((each) => text.includes(each)));
console.log(/DEPLOY_TOKEN[^,}]*/.exec(text)?.[0]);
console.log(/What is [^"]*/.exec(text)?.[0]);
// #endregion secrets

// #region compare
const lines: RecordingLine[] = [];
await ask(
  record(stdio(), (line) => lines.push(line)),
  "Say hello, please.",
  "hunter2-and-more",
);
const before = normalize(await readRecording(file), { drop: NOISE });
const after = normalize(lines, { drop: NOISE });
console.log(compareTranscripts(before, before).length, "differences from itself");
for (const { method, kind, path, a, b } of compareTranscripts(before, after))
  if (method === "turn/start") console.log(method, kind, path, a, b);
// #endregion compare

await rm(folder, { recursive: true });
