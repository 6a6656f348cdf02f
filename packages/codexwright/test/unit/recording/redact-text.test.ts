import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { leaks } from "./secrets.ts";
import { taped } from "./wire.ts";

const SECRET = "S3cr3tVal99";

/** Returns the recorded text of these messages, with deltas joined. */
async function kept(messages: readonly object[], secrets: readonly RegExp[] = []): Promise<string> {
  const { transport, wire, lines } = await taped({ secrets });
  wire.say(...messages);
  await transport.flush();
  const deltas = lines.map((line) => ("message" in line ? deltaIn(line.message["params"]) : ""));
  return `${deltas.join("")}\n${lines.map((line) => JSON.stringify(line)).join("\n")}`;
}

function deltaIn(params: unknown): string {
  return (params as { readonly delta?: string } | undefined)?.delta ?? "";
}

for (const text of [
  `Cookie: theme=dark; session=${SECRET}`,
  `curl -H 'Cookie: a=b; sid=${SECRET}' http://x`,
  `Authorization: Digest username="u", response="${SECRET}"`,
  `Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=${SECRET}`,
  `{"authorization": "ApiKey ${SECRET}"}`,
  `tool --password=${SECRET}`,
  `tool --api-key ${SECRET}`,
  `curl -u user:${SECRET} http://x`,
  `git clone https://${SECRET}@example.test/x`,
  `export github_token=${SECRET}`,
]) {
  verifies("recording.secrets", `removes the secret from a text like ${text}`, async () => {
    const message = { method: "item/completed", params: { item: { text: `before\n${text}\nafter` } } };
    const recorded = await kept([message]);
    expect(leaks(recorded, [SECRET])).toEqual([]);
    expect(recorded).toContain("before\\n");
    expect(recorded).toContain("\\nafter");
  });
}

verifies("recording.secrets", "removes the values of headers that are written as pairs", async () => {
  const headers = [
    ["Authorization", `Custom ${SECRET}`],
    ["Accept", "text/html"],
  ];
  const recorded = await kept([{ method: "x", params: { headers } }]);
  expect(leaks(recorded, [SECRET])).toEqual([]);
  expect(recorded).toContain("text/html");
});

for (const before of [
  '{"password": "',
  "password: ",
  "x-api-key: ",
  "https://u:",
  "https://x/?token=",
  "Cookie: a=b; c=",
]) {
  verifies("recording.secrets", `finds a value by its name if deltas split it after ${before}`, async () => {
    const after = before.includes("//u") ? "@host" : '" ok';
    const pieces = [before, SECRET.slice(0, 5), SECRET.slice(5), after];
    const deltas = pieces.map((delta) => ({
      method: "item/agentMessage/delta",
      params: { itemId: "i", delta },
    }));
    // Messages of other streams between the deltas do not end the text.
    const messages = deltas.flatMap((delta, id) => [delta, { id, result: {} }]);
    expect(leaks(await kept(messages), [SECRET])).toEqual([]);
  });
}

verifies("recording.secrets", "finds matches of a caller's pattern in split text", async () => {
  const deltas = ["the ACME-12", "34 5678", " ends"].map((delta) => ({
    method: "item/agentMessage/delta",
    params: { itemId: "i", delta },
  }));
  expect(leaks(await kept(deltas, [/ACME-\d{4} \d{4}/]), ["ACME-1234 5678", "34 5678"])).toEqual([]);
});

verifies(
  "recording.unobtrusive",
  "searches a text with many token beginnings once, not once for each beginning",
  async () => {
    const message = { method: "warning", params: { message: "-eyJaaaaa".repeat(25_000) } };
    expect(await kept([message])).toContain("-eyJaaaaa");
  },
);
