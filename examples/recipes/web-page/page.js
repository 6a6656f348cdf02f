// #region code
import { CodexClient } from "codexwright/client";
import { websocket } from "codexwright/websocket";

const { url, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const output = document.querySelector("pre");
const form = document.querySelector("form");
const input = document.querySelector("input");

const codex = await CodexClient.connect({
  transport: websocket(url, { token }),
  onApproval: ({ kind, command = "" }) => (confirm(`Allow this ${kind}? ${command}`) ? "accept" : "decline"),
});
const thread = await codex.startThread({ sandbox: "read-only" });

async function run(task) {
  output.append(`> ${task}\n`); // append() inserts text, never HTML.
  const turn = thread.turn(task);
  for await (const { method, params, item } of turn) {
    if (method === "item/agentMessage/delta") output.append(params.delta);
    if (method === "item/completed" && item?.type === "commandExecution")
      output.append(`$ ${item.command} (${item.status})\n`);
  }
  output.append("\n");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  run(input.value).catch(({ code }) => output.append(`failed: ${code}\n`));
  form.reset();
});
output.append("connected\n");
// #endregion code
