/** Commands and files on the machine the server runs on, without a model. */
import { basename, join, resolve } from "node:path";
import { CodexClient, type CodexError } from "codexwright";

// #region stream
await using codex = await CodexClient.connect();
const build = codex.exec([
  "sh",
  "-c",
  "for n in 1 2 3; do echo step $n; sleep 0.1; done; echo slow >&2; exit 3",
]);
for await (const line of build.stdout.lines()) console.log(line);
const { exitCode, stderr, timedOut } = await build.result;
console.log(JSON.stringify({ exitCode, stderr, timedOut }));
// #endregion stream

// #region stdin
const sorted = await codex.exec(["sort"], { stdin: "pear\napple\n" }).result;
console.log(JSON.stringify(sorted.stdout.split("\n")));

const talk = codex.exec(["sh", "-c", "while read line; do echo got $line; done; echo bye"], { stdin: true });
const answers = talk.stdout.lines();
await talk.stdin.write("one\n");
console.log((await answers.next()).value);
await talk.stdin.end();
console.log((await answers.next()).value);

const terminal = codex.exec(["sh", "-c", "stty size; read key; stty size"], { tty: { cols: 80, rows: 24 } });
const screen = terminal.stdout.lines();
console.log("rows and columns:", (await screen.next()).value);
await terminal.resize({ cols: 100, rows: 30 });
await terminal.stdin.write("x\n");
for await (const line of screen) console.log(line); // The typed text, then the new size.
// #endregion stdin

// #region end
const server = codex.exec(["sleep", "1000"]);
await server.kill();
console.log("killed:", (await server.result).exitCode);

const slow = await codex.exec(["sh", "-c", "echo on; sleep 1000"], { timeoutMs: 500 }).result;
console.log("late:", slow.exitCode, slow.timedOut, slow.stdout.trim());

const signal = AbortSignal.timeout(500);
const given = codex.exec(["sleep", "1000"], { signal });
await given.result.catch(({ code }: CodexError) => console.log("given up:", code));

const counted = await codex.exec(["seq", "1000000"], { outputBytesCap: 8 }).result;
console.log(JSON.stringify(counted.stdout), counted.truncated.stdout);
// #endregion end

// #region fs
const notes = resolve("notes"); // Every path is absolute.
const todo = join(notes, "todo.txt");
await codex.fs.createDirectory(notes);
await codex.fs.writeFile(todo, "water the plants\n");
await codex.fs.copy(todo, join(notes, "copy.txt"));

for (const { fileName, isFile } of await codex.fs.readDirectory(notes)) console.log(fileName, isFile);
console.log((await codex.fs.readText(todo)).trim(), (await codex.fs.readFile(todo)).length);

const missing = codex.fs.readText(join(notes, "missing.txt"));
await missing.catch(({ code, message }: CodexError) => console.log(`${code}: ${message}`));
// #endregion fs

// #region watch
const watching = codex.watch(notes);
await watching.ready;
await codex.fs.remove(todo);

for await (const { changedPaths } of watching) {
  console.log("changed:", changedPaths.map((path) => basename(path)).join(", "));
  break; // Ends the watch.
}
// #endregion watch

await codex.fs.remove(notes);
