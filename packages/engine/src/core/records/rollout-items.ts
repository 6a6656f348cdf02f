import type { ThreadItem } from "codexwright/protocol";
import { isObject, listOr, numberOr, objectOr, textOr } from "./rollout-record.ts";
import { joined } from "../shell-words.ts";
import type { WireObject } from "../wire-object.ts";

/** The types whose rollout form holds everything that the wire form has. Others keep the wire form beside it. */
const WHOLE = new Set([
  "userMessage",
  "agentMessage",
  "reasoning",
  "contextCompaction",
  "commandExecution",
  "imageView",
]);

/** The payload fields of an `item_completed` record. */
export function itemToRollout(item: ThreadItem): WireObject {
  const { startedAtMs, completedAtMs, ...wire } = item as unknown as Record<string, unknown>;
  const type = textOr(wire["type"], "unknown");
  const known = FORMS[type]?.to(wire);
  const own = WHOLE.has(type) ? {} : { codexwright: { item: wire } };
  return {
    item: known ?? { ...snakeKeys(wire), type: pascal(type) },
    ...own,
    started_at_ms: startedAtMs,
    completed_at_ms: completedAtMs,
  };
}

/** The item of an `item_completed` payload, or `undefined` if it has none. */
export function itemFromRollout(payload: WireObject): ThreadItem | undefined {
  const stored = payload["item"];
  if (!isObject(stored) || typeof stored["type"] !== "string") return undefined;
  const times = {
    startedAtMs: numberOr(payload["started_at_ms"], null),
    completedAtMs: numberOr(payload["completed_at_ms"], null),
  };
  const type = camel(stored["type"]);
  const own = objectOr(payload["codexwright"])["item"];
  const wire =
    isObject(own) && own["type"] === type && own["id"] === stored["id"]
      ? own
      : (FORMS[type]?.from(stored) ?? { ...camelKeys(stored), type });
  return { ...wire, id: textOr(wire["id"], ""), ...times } as unknown as ThreadItem;
}

interface Form {
  to(item: WireObject): WireObject;
  from(stored: WireObject): WireObject;
}

const FORMS: Readonly<Record<string, Form>> = {
  userMessage: {
    to: ({ id, clientId, content }) => ({
      type: "UserMessage",
      id,
      ...(typeof clientId === "string" ? { client_id: clientId } : {}),
      content: listOr(content).map((part) => (isObject(part) ? partToRollout(part) : part)),
    }),
    from: (stored) => ({
      type: "userMessage",
      id: stored["id"],
      clientId: textOr(stored["client_id"], null),
      content: listOr(stored["content"]).flatMap((part) => (isObject(part) ? [partFromRollout(part)] : [])),
    }),
  },
  agentMessage: {
    to: ({ id, text, phase, memoryCitation, delivery, questions }) => ({
      type: "AgentMessage",
      id,
      content: [{ type: "Text", text }],
      ...present({ phase, memory_citation: memoryCitation, delivery, questions }),
    }),
    from: (stored) => ({
      type: "agentMessage",
      id: stored["id"],
      text: listOr(stored["content"])
        .map((part) => textOr(objectOr(part)["text"], ""))
        .join(""),
      phase: textOr(stored["phase"], null),
      memoryCitation: stored["memory_citation"] ?? null,
      delivery: stored["delivery"] ?? null,
      questions: stored["questions"] ?? null,
    }),
  },
  reasoning: {
    to: ({ id, summary, content }) => ({
      type: "Reasoning",
      id,
      summary_text: summary,
      raw_content: content,
    }),
    from: (stored) => ({
      type: "reasoning",
      id: stored["id"],
      summary: texts(stored["summary_text"]),
      content: texts(stored["raw_content"]),
    }),
  },
  contextCompaction: {
    to: ({ id }) => ({ type: "ContextCompaction", id }),
    from: (stored) => ({ type: "contextCompaction", id: stored["id"] }),
  },
  imageView: {
    to: ({ id, path }) => ({ type: "ImageView", id, path: fileUrl(textOr(path, "")) }),
    from: (stored) => ({ type: "imageView", id: stored["id"], path: pathOfUrl(stored["path"]) }),
  },
  commandExecution: { to: commandToRollout, from: commandFromRollout },
  fileChange: { to: patchToRollout, from: patchFromRollout },
};

function commandToRollout(item: WireObject): WireObject {
  const ms = numberOr(item["durationMs"], 0);
  const command = textOr(item["command"], "");
  return {
    type: "CommandExecution",
    id: item["id"],
    ...present({ process_id: item["processId"] }),
    command: wordsOf(command),
    cwd: fileUrl(textOr(item["cwd"], "")),
    parsed_cmd: listOr(item["commandActions"]).map((action) => actionToRollout(objectOr(action))),
    source: snake(textOr(item["source"], "agent")),
    status: snake(textOr(item["status"], "completed")),
    ...present({ aggregated_output: item["aggregatedOutput"], exit_code: item["exitCode"] }),
    ...(item["durationMs"] === null
      ? {}
      : { duration: { secs: Math.floor(ms / 1_000), nanos: Math.round((ms % 1_000) * 1e6) } }),
  };
}

function commandFromRollout(stored: WireObject): WireObject {
  const argv = texts(stored["command"]);
  const duration = objectOr(stored["duration"]);
  const ms = numberOr(duration["secs"], 0) * 1_000 + numberOr(duration["nanos"], 0) / 1e6;
  return {
    type: "commandExecution",
    id: stored["id"],
    pluginId: null,
    scriptPath: null,
    command: argv.length === 1 ? (argv[0] ?? "") : joined(argv),
    cwd: pathOfUrl(stored["cwd"]),
    processId: textOr(stored["process_id"], null),
    source: camel(textOr(stored["source"], "agent")),
    status: camel(textOr(stored["status"], "completed")),
    commandActions: listOr(stored["parsed_cmd"]).map((action) => actionFromRollout(objectOr(action))),
    aggregatedOutput: textOr(stored["aggregated_output"], null),
    exitCode: numberOr(stored["exit_code"], null),
    durationMs: isObject(stored["duration"]) ? Math.round(ms) : null,
  };
}

function actionToRollout({ type, command, ...rest }: WireObject): WireObject {
  return { type: snake(textOr(type, "unknown")), cmd: command, ...rest };
}

function actionFromRollout({ type, cmd, ...rest }: WireObject): WireObject {
  return { type: camel(textOr(type, "unknown")), command: textOr(cmd, ""), ...rest };
}

function patchToRollout(item: WireObject): WireObject {
  const changes = listOr(item["changes"]).map((change): [string, WireObject] => {
    const { path, kind, diff } = objectOr(change);
    const { type, move_path: moved = null } = objectOr(kind);
    const form =
      type === "update"
        ? { type, unified_diff: diff, move_path: moved }
        : { type: textOr(type, "add"), content: diff };
    return [textOr(path, ""), form];
  });
  return {
    type: "FileChange",
    id: item["id"],
    changes: Object.fromEntries(changes),
    status: snake(textOr(item["status"], "completed")),
    stdout: "",
    stderr: "",
  };
}

function patchFromRollout(stored: WireObject): WireObject {
  return {
    type: "fileChange",
    id: stored["id"],
    changes: Object.entries(objectOr(stored["changes"])).map(([path, change]) => {
      const { type, unified_diff: diff, content, move_path: moved = null } = objectOr(change);
      const kind = type === "update" ? { type, move_path: moved } : { type: textOr(type, "add") };
      return { path, kind, diff: textOr(diff ?? content, "") };
    }),
    status: camel(textOr(stored["status"], "completed")),
  };
}

function partToRollout(part: WireObject): WireObject {
  if (part["type"] === "image")
    return { type: "image", image_url: part["url"], ...present({ detail: part["detail"] }) };
  if (part["type"] === "localImage") {
    return { type: "local_image", path: part["path"], ...present({ detail: part["detail"] }) };
  }
  return part;
}

function partFromRollout(part: WireObject): WireObject {
  const type = textOr(part["type"], "text");
  if (type === "text") {
    return { type, text: textOr(part["text"], ""), text_elements: listOr(part["text_elements"]) };
  }
  if (type === "image")
    return { type, detail: part["detail"] ?? null, url: textOr(part["image_url"] ?? part["url"], "") };
  if (type === "local_image")
    return { type: "localImage", detail: part["detail"] ?? null, path: textOr(part["path"], "") };
  return part;
}

function texts(value: unknown): string[] {
  return listOr(value).filter((each) => typeof each === "string");
}

/** The entries that are not `null` or `undefined`. */
function present(entries: WireObject): WireObject {
  return Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Splits a command into the words that it was joined from. */
function wordsOf(command: string): string[] {
  const words = Array.from(
    command.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+)/g),
    ([, single, double, bare]) => single ?? double?.replaceAll(/\\(.)/g, "$1") ?? bare ?? "",
  );
  return joined(words) === command ? words : [command];
}

export function fileUrl(path: string): string {
  const encoded = path.split(/[\\/]/).map((part) => encodeURIComponent(part));
  if (path.startsWith("/")) return `file://${encoded.join("/")}`;
  return /^[A-Za-z]:/.test(path) ? `file:///${encoded.join("/").replace("%3A", ":")}` : path;
}

export function pathOfUrl(value: unknown): string {
  const text = textOr(value, "");
  if (!text.startsWith("file://")) return text;
  try {
    const path = decodeURIComponent(text.slice("file://".length));
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
  } catch {
    return text;
  }
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter, at: number) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
}

/** `unified_exec_startup` and `CommandExecution` become `unifiedExecStartup` and `commandExecution`. */
function camel(name: string): string {
  const text = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function pascal(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function snakeKeys(value: WireObject): WireObject {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [snake(key), each]));
}

function camelKeys(value: WireObject): WireObject {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [camel(key), each]));
}
