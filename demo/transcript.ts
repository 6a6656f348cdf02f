import type { ServerEvent, ThreadItem } from "codexwright/protocol";
import { clean, commandLine, commandOutcome, fileChange } from "./render.ts";
import type { Style } from "./style.ts";

/**
 * Turns the events of a turn into the text to print for each, in blocks with a blank line between them.
 *
 * @param folder where the turn runs; files in it are shown by their relative names
 */
export function transcript(folder: string, style: Style): (event: ServerEvent) => string {
  /** The item whose block stands last: more of it goes on there, anything else begins a new block. */
  let open: string | undefined;
  let lineEnded = true;
  const streamed = new Set<string>();

  function add(id: string, text: string): string {
    if (text === "") return "";
    const gap = open === id ? "" : `${lineEnded ? "" : "\n"}\n`;
    open = id;
    lineEnded = text.endsWith("\n");
    return gap + text;
  }

  function started(item: ThreadItem): string {
    switch (item.type) {
      case "commandExecution":
        return add(item.id, commandLine(item.command, style));
      case "mcpToolCall":
        return add(item.id, `${style.dim("tool")} ${style.bold(clean(`${item.server}.${item.tool}`))}\n`);
      default:
        return "";
    }
  }

  function completed(item: ThreadItem): string {
    switch (item.type) {
      case "agentMessage":
        // A server may send a message whole, without deltas.
        return streamed.has(item.id) ? "" : add(item.id, clean(item.text));
      case "commandExecution": {
        // Commands can run side by side: an output that comes later gets its command once more.
        const heading = open === item.id ? "" : commandLine(item.command, style);
        return add(item.id, heading + commandOutcome(item, style));
      }
      case "fileChange": {
        const files = item.changes.map((change) => fileChange(change, folder, style)).join("\n");
        return add(item.id, item.status === "completed" ? files : `${files}  ${style.red("not applied")}\n`);
      }
      case "webSearch":
        return add(item.id, `${style.dim("search")} ${style.bold(clean(item.query))}\n`);
      case "reasoning":
        return add(item.id, style.dim(clean(item.summary.join("\n"))));
      default:
        return "";
    }
  }

  return (event) => {
    switch (event.method) {
      case "item/agentMessage/delta":
        streamed.add(event.params.itemId);
        return add(event.params.itemId, clean(event.params.delta));
      case "item/started":
        return started(event.params.item);
      case "item/completed":
        return completed(event.params.item);
      case "error":
        return event.params.willRetry
          ? add("retry", `${style.dim(clean(event.params.error.message))}\n`)
          : "";
      case "turn/completed":
        return lineEnded ? "" : "\n";
      default:
        return "";
    }
  };
}
