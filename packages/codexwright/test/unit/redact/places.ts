import { taped } from "../recording/wire.ts";
import { random, type Sample } from "./samples.ts";

type Message = Readonly<Record<string, unknown>>;

/** The ways in which a text may be encoded inside another one. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "JSON in a string": (text) => JSON.stringify({ note: text }),
  "JSON in JSON in a string": (text) => JSON.stringify({ body: JSON.stringify({ note: text }) }),
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64url without padding": (text) => Buffer.from(`>${text}`).toString("base64url"),
  "base64 inside longer base64": (text) =>
    Buffer.from(`first line of a file\n# ${text}\nlast line\n`).toString("base64").slice(1),
  "base64 in lines of 76": (text) =>
    (
      Buffer.from(`a first line that is rather long, longer than most\n${text}\nend\n`)
        .toString("base64")
        .match(/.{1,76}/g) ?? []
    ).join("\n"),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in lines of 60": (text) =>
    (
      Buffer.from(`a first line\n${text}\n`)
        .toString("hex")
        .match(/.{1,60}/g) ?? []
    ).join("\n"),
  "base64url in lines of 64": (text) =>
    (
      Buffer.from(`note: ${text}\n`)
        .toString("base64url")
        .match(/.{1,64}/g) ?? []
    ).join("\r\n"),
  "upper-case hex": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "percent-encoding": (text) => encodeURIComponent(text),
};

/** Messages that may contain a text. */
export const PLACES: Readonly<Record<string, (text: string, id: number) => Message>> = {
  "output of a command": (text, id) =>
    item({ type: "commandExecution", id, aggregatedOutput: `$ cat x\n${text}\n` }),
  "arguments of a tool": (text, id) =>
    item({ type: "dynamicToolCall", id, arguments: { path: "a", note: text } }),
  "list of arguments": (text) => ({ method: "item/tool/call", params: { arguments: ["run", [text]] } }),
  "command line": (text, id) => item({ type: "commandExecution", id, command: `/bin/sh -c '${text}'` }),
  "name of a file": (text) =>
    item({
      type: "fileChange",
      changes: [{ path: `/work/notes/${text}.txt`, kind: { type: "add" }, diff: "" }],
    }),
  "name of a member": (text) => ({ method: "x", params: { answers: { [text]: true } } }),
  diff: (text) =>
    item({
      type: "fileChange",
      changes: [{ path: "a", diff: `@@ -0,0 +1 @@\n+${text.replaceAll("\n", "\n+")}\n` }],
    }),
  error: (text, id) => ({ id, error: { code: -32_000, message: `refused: ${text}` } }),
  prompt: (text, id) => ({
    id,
    method: "turn/start",
    params: { input: [{ type: "text", text: `Use ${text} for it.` }] },
  }),
  "file as base64": (text, id) => ({
    id,
    method: "fs/writeFile",
    params: { path: "/a", dataBase64: Buffer.from(`one\n${text}\ntwo\n`).toString("base64") },
  }),
};

function item(fields: object): Message {
  return { method: "item/completed", params: { threadId: "t", turnId: "u", item: fields } };
}

/** Returns the recorded form of texts, each in its own message, in the order of the texts. */
export async function keptIn(place: string, texts: readonly string[]): Promise<string[]> {
  const { transport, wire, channel, lines } = await taped();
  const make = PLACES[place];
  for (const [id, text] of texts.entries()) {
    const message = make?.(text, id) ?? {};
    if (message["method"] === "turn/start" || message["method"] === "fs/writeFile")
      await channel.send(JSON.stringify(message));
    else wire.say(message);
  }
  await transport.flush();
  return lines.slice(1).map((line) => readable(line));
}

/** Returns the recorded form of texts that arrive in pieces, split at random places. */
export async function keptOfDeltas(
  texts: readonly string[],
  base64: boolean,
  seed: number,
): Promise<string[]> {
  const next = random(seed);
  const out: string[] = [];
  const { transport, wire, lines } = await taped();
  for (const [id, text] of texts.entries()) {
    for (let at = 0; at < text.length;) {
      const end = Math.min(text.length, at + 1 + Math.floor(next() * 40));
      const delta = text.slice(at, end);
      const place = { threadId: "t", turnId: "u", itemId: String(id) };
      wire.say(
        base64
          ? {
              method: "command/exec/outputDelta",
              params: { processId: String(id), deltaBase64: Buffer.from(delta).toString("base64") },
            }
          : { method: "item/commandExecution/outputDelta", params: { ...place, delta } },
      );
      at = end;
    }
    wire.say(item({ id, type: "x" }));
    await transport.flush();
    out.push(
      lines
        .splice(1)
        .map((line) => deltaIn(line))
        .join(""),
    );
  }
  return out;
}

function deltaIn(line: object): string {
  const { message } = line as { message?: { params?: { delta?: string; deltaBase64?: string } } };
  const { delta, deltaBase64 } = message?.params ?? {};
  return delta ?? (deltaBase64 === undefined ? "" : Buffer.from(deltaBase64, "base64").toString());
}

/** Returns all strings of a value, one per line, with base64 members also decoded. */
function readable(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([key, each]) => {
      const text = readable(each);
      return key.endsWith("Base64")
        ? `${Buffer.from(text, "base64").toString()}\n${text}`
        : `${key}\n${text}`;
    })
    .join("\n");
}

/** Returns whether a text still contains a secret, or half of it, in any encoding. */
export function holdsSecret(kept: string, { secret }: Sample): boolean {
  const plain = [kept, kept.replaceAll(/\s/g, ""), decodeJson(kept)];
  const half = Math.ceil(secret.length / 2);
  const lines = secret.split("\n").filter((line) => line.length >= 8);
  const parts = secret.length >= 24 ? [...lines, secret.slice(0, half), secret.slice(half)] : lines;
  return parts.some((part) => plain.some((text) => formsOf(part).some((form) => text.includes(form))));
}

function decodeJson(text: string): string {
  return text.replaceAll(/\\(["\\/])/g, "$1").replaceAll(/\\(["\\/])/g, "$1");
}

function formsOf(part: string): string[] {
  const bytes = Buffer.from(part);
  const cores = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return text.slice(offset === 0 ? 0 : 4, Math.floor((offset + bytes.length) / 3) * 4);
  });
  const encoded = [...cores, ...cores.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"))];
  const hex = bytes.toString("hex");
  return [
    part,
    encodeURIComponent(part),
    hex,
    hex.toUpperCase(),
    ...encoded.filter((core) => core.length >= 10),
  ];
}
