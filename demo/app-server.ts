/**
 * `npm start -- app-server`: one turn with a scripted model on Codex, and the same turn on our own app-server. Prints the
 * events of both side by side, and how the transcripts differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CodexClient, type TransportFactory } from "codexwright";
import { stdio } from "codexwright/stdio";
import {
  compareTranscripts,
  NOISE,
  normalize,
  record,
  type RecordingLine,
  type Transcript,
} from "codexwright/recording";
import { engine } from "@codexwright/engine/node";
import { exec, realAppServer, reply, scriptedModel, type RealAppServer } from "@codexwright/testing";

const TASK = "Say hello in German.";
const PATCH = `apply_patch <<'PATCH'
*** Begin Patch
*** Update File: hello.txt
@@
-hello
+hallo
*** End Patch
PATCH`;

interface Ran {
  readonly transcript: Transcript;
  readonly seconds: number;
  readonly text: string;
}

/** Runs the turn on a server with folders and a model of its own. */
async function run(reach: (place: RealAppServer) => TransportFactory): Promise<Ran> {
  await using model = await scriptedModel([
    exec("cat hello.txt"),
    exec(PATCH),
    reply("The file now says hallo."),
  ]);
  await using place = await realAppServer({ model });
  const file = path.join(place.workspace, "hello.txt");
  writeFileSync(file, "hello\n");
  const lines: RecordingLine[] = [];
  const began = performance.now();
  await using codex = await CodexClient.connect({
    transport: record(reach(place), (line) => lines.push(line)),
    cwd: place.workspace,
    // Many containers have no working sandbox, and the script only reads and writes its own folder.
    sandbox: "danger-full-access",
    startupTimeoutMs: 60_000,
  });
  await (await codex.startThread()).run(TASK);
  const seconds = (performance.now() - began) / 1000;
  const paths = { workspace: place.workspace };
  return { transcript: normalize(lines, { drop: NOISE, paths }), seconds, text: readFileSync(file, "utf8") };
}

/** The notifications of a transcript, in order, with the type of their item. */
function eventsOf(transcript: Transcript): string[] {
  return transcript.flatMap(({ kind, method = "", params }) => {
    if (kind !== "notification" || method === "initialized") return [];
    const type = (params as { readonly item?: { readonly type?: string } }).item?.type;
    return [type === undefined ? method : `${method} ${type}`];
  });
}

export async function appServerDemo(): Promise<void> {
  const print = (text = ""): void => void process.stdout.write(`${text}\n`);
  print("A scripted model reads a file, patches it and answers. First on Codex, then on our own app-server:");
  const codex = await run(({ clientOptions: { codexHome, cwd, env, codexPath } }) =>
    stdio({ codexHome, cwd, env, codexPath }),
  );
  const own = await run(({ clientOptions: { codexHome: home, cwd, env } }) => engine({ home, cwd, env }));

  const [left, right] = [eventsOf(codex.transcript), eventsOf(own.transcript)];
  const width = Math.max(...left.map(({ length }) => length)) + 2;
  print();
  print(`${"CODEX".padEnd(width)}CODEXWRIGHT`);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    print(`${(left[at] ?? "").padEnd(width)}${right[at] ?? ""}`);
  }
  print();
  print(
    `${`${codex.seconds.toFixed(2)} s`.padEnd(width)}${own.seconds.toFixed(2)} s, from the start of the server`,
  );
  print(`The file says ${JSON.stringify(codex.text)} and ${JSON.stringify(own.text)}.`);
  print();
  const differences = compareTranscripts(codex.transcript, own.transcript);
  if (differences.length === 0)
    return print("The transcripts are the same, apart from ids, times and folders.");
  const places = differences.length === 1 ? "one place" : `${differences.length} places`;
  print(`The transcripts differ in ${places}, apart from ids, times and folders:`);
  for (const { text } of differences) print(`  ${text.length > 200 ? `${text.slice(0, 200)} …` : text}`);
}
