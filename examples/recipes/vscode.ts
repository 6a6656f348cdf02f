/** Runs the extension offline: a stand-in for VS Code, and the real Codex with a scripted model. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { exec, realAppServer, reply, scriptedModel } from "@codexwright/testing";
import { findCodex } from "codexwright/stdio";
import { vscodeStandIn, type Message } from "./vscode/stand-in.ts";

await using model = await scriptedModel([
  exec("touch notes.txt", { justification: "to take notes" }),
  reply("I made notes.txt.", { deltas: 3 }),
]);
await using server = await realAppServer({ model });
process.env["CODEX_PATH"] = findCodex().command;
const setEnvironment = (variables: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
};
const source = path.resolve(import.meta.dirname, "../../../examples/recipes/vscode/extension.ts");

{
  await using code = await vscodeStandIn(source, undefined);
  await code.run("codexwright.open");
  console.log(code.errors.join("\n"));
}
{
  const empty = path.join(server.root, "empty");
  mkdirSync(empty);
  setEnvironment({ CODEX_HOME: empty, HOME: empty, OPENAI_API_KEY: undefined, CODEX_API_KEY: undefined });
  await using code = await vscodeStandIn(source, server.workspace);
  await code.run("codexwright.open");
  console.log((await code.until(({ type }) => type === "error")).text);
}
setEnvironment(server.clientOptions.env);
await using code = await vscodeStandIn(source, server.workspace);
await code.run("codexwright.open");
code.send({ type: "task", text: "Make notes." });
const { id = -1, text } = await code.until(({ type }) => type === "approval");
console.log(`${text}?`);
code.send({ type: "decision", id, accepted: true });
const isDone = ({ items = [] }: Message): boolean => items.at(-1)?.text === "I made notes.txt.";
const { items = [] } = await code.until(isDone);
for (const { kind, text: shown } of items) console.log(`${kind}: ${shown.replace(/^\S+ -lc /, "")}`);
