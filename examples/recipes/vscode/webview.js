/* The page of the panel. Texts come from a model and from files, so they are only ever set as text, never as HTML. */
const vscode = acquireVsCodeApi();
const main = document.querySelector("main");
const form = document.querySelector("form");
const input = document.querySelector("input");

const shown = document.createElement("div");
main.append(shown);

function paragraph(kind, text) {
  const element = document.createElement("p");
  element.className = kind;
  element.textContent = text;
  return element;
}

function approval(id, text) {
  const element = paragraph("approval", `${text}? `);
  element.id = `approval-${id}`;
  for (const [label, accepted] of [
    ["Accept", true],
    ["Decline", false],
  ]) {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", () => vscode.postMessage({ type: "decision", id, accepted }));
    element.append(button);
  }
  return element;
}

window.addEventListener("message", ({ data }) => {
  if (data.type === "items")
    shown.replaceChildren(...data.items.map(({ kind, text }) => paragraph(kind, text)));
  else if (data.type === "approval") main.append(approval(data.id, data.text));
  else if (data.type === "settled") document.getElementById(`approval-${data.id}`)?.remove();
  else if (data.type === "error") main.append(paragraph("error", data.text));
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (input.value !== "") vscode.postMessage({ type: "task", text: input.value });
  input.value = "";
});
