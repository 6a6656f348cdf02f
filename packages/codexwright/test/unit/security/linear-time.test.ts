import { expect } from "vitest";
import { jsonSchema, scriptOf } from "codexwright";
import { strictOutput } from "../../../src/schema/output.ts";
import { readIncoming } from "../../../src/endpoint/incoming.ts";
import { atLeast } from "../../../src/protocol/release.ts";
import { Redactor } from "../../../src/redact/redactor.ts";
import { unfinishedAt } from "../../../src/redact/unfinished.ts";
import { refusal } from "../../../src/websocket/refusal.ts";
import { parseBearer, parseList } from "../../../src/server/headers.ts";
import { verifies } from "@codexwright/test-support/verifies";
import { KINDS } from "../../../src/redact/rules/kinds.ts";
import { samplesOf } from "../redact/samples.ts";
import { cpuMs } from "./hostile.ts";

/**
 * Beginnings of texts that our patterns match, repeated. A pattern that reads to the end of the text from each
 * beginning would take minutes.
 */
const PUMPS = [
  "=",
  " ",
  "	",
  "\n",
  "-",
  ":",
  "/",
  '"',
  "'",
  "\\",
  "\\\\",
  "a",
  "A",
  "1",
  "_",
  "`",
  "(",
  "[",
  "{",
  "\xA0",
  "-u ",
  "-u =",
  "--user ",
  "sk-",
  "-sk-",
  "-eyJ",
  "_eyJ",
  "eyJaaaaa.",
  "gh",
  "xoxb-",
  "bearer ",
  "basic	",
  "cookie:",
  "cookie:'",
  'cookie:"\\',
  '"authorization: ',
  "authorization:x='",
  "--key",
  "--key ",
  "key-",
  '"ab":"',
  '\\"ab\\":\\"',
  '"token":"\\',
  "ABC=",
  "A=",
  "A_",
  "token: ",
  "://",
  "://a:",
  "://a@",
  "?code=",
  "&a",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "-----END ",
  "mysql ",
  "mysql -",
  "machine ",
  "machine a.b login x ",
  "password ",
  "default login ",
  "redis-cli -a",
  "mnemonic: abc ",
  "seed phrase is abc abc abc abc abc abc abc abc abc abc abc abc ",
  "a_",
  "aB1-",
  "a.Aa1Bb2Cc3Dd4Ee5Ff6Gg7",
  "WIFI:P:",
  "$ANSIBLE_VAULT;1 00000000 ",
  "Private-Lines: 1 ",
  "kind: Secret ",
  "net user a ",
  "createUser a SHA ",
  "1//0",
  "AQE",
  "xoxd-",
  "password is ",
  "ENV A_KEY ",
  '"key",',
  '"key"]=',
  'kty"d":"',
  "prod:a|",
  "Q~",
  "sshpass -p ",
  "hooks.slack.com/services/",
  "/bin/sh -c '",
  "$(",
  "pwd=",
  "password=",
  "AccountKey=a;pwd=",
  "-----END PRIVATE KEY-----",
];
const SIZE = 30_000;
/** A pattern with quadratic time would take minutes for all of these. */
const LIMIT_MS = 500;
/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 120_000 };

const READERS: Record<string, (text: string) => unknown> = {
  redaction: (text) => new Redactor([], {}).text(`${text} token`, "peer"),
  "redaction of JSON": (text) =>
    new Redactor([], {}).json({ env: { A: text }, headers: { a: text }, b: text }, "peer"),
  "the end of a delta": (text) => unfinishedAt(`${text} `),
  "shell words": (text) => scriptOf(`/bin/bash -lc "${text}`),
  "a fenced answer": (text) =>
    strictOutput(jsonSchema({ type: "object", properties: {}, additionalProperties: false })).parse(
      `\`\`\`json\n${text}`,
    ),
  "a version": (text) => atLeast(`0.${text}`, "0.1.0"),
  "a refusal": (text) => refusal("ws://x", 400, text, "token"),
  "a header": (text) => [parseBearer(`Bearer ${text}`), parseList(text)],
  "a big id": (text) =>
    readIncoming(JSON.stringify({ [text]: text, id: 2 ** 60, method: "m", params: text })),
};

for (const [what, read] of Object.entries(READERS)) {
  verifies(
    "security.s17",
    `${what} takes linear time`,
    async () => {
      const slow: string[] = [];
      for (const pump of PUMPS) {
        for (const text of [
          pump.repeat(SIZE / pump.length),
          `-u ${pump.repeat(SIZE / pump.length)}!`,
          `${pump.repeat(SIZE / pump.length)}<`,
        ]) {
          if ((await cpuMs(() => read(text))) > LIMIT_MS) slow.push(pump);
        }
      }
      expect(slow).toEqual([]);
    },
    SLOW,
  );
}

verifies(
  "security.s17",
  "a search is not slowed down by thousands of beginnings of each kind of secret",
  async () => {
    const slow: string[] = [];
    for (const { kind, text } of samplesOf(7)) {
      const keywords = KINDS.find((each) => each.kind === kind)?.keywords ?? [];
      for (const pump of [
        text.slice(0, text.length * 0.6),
        `${text.slice(0, 12)} `,
        `${keywords[0]}=`,
        `${keywords.at(-1)}`,
        keywords.join(":"),
      ]) {
        const flood = pump.repeat(SIZE / 3 / Math.max(1, pump.length));
        if ((await cpuMs(() => new Redactor([], {}).text(flood, "peer"))) > LIMIT_MS)
          slow.push(`${kind}: ${pump}`);
      }
    }
    expect(slow).toEqual([]);
  },
  SLOW,
);

verifies("security.s17", "many END PRIVATE KEY markers on one line are searched in linear time", async () => {
  const ends = (count: number): string => "-----END PRIVATE KEY-----".repeat(count);
  // Searching back to the beginning of the text from each marker would take more than a minute.
  expect(await cpuMs(() => new Redactor([], {}).text(ends(200_000), "peer"))).toBeLessThan(20_000);
});

verifies("security.s17", "limits how often it decodes a text that is encoded several times", async () => {
  let text = "x".repeat(6_000);
  for (let each = 0; each < 6; each++) text = btoa(text);
  const escaped = "\\\\\\".repeat(10_000);
  const percent = "%25".repeat(10_000);
  for (const flood of [text, escaped, percent, "4141".repeat(10_000), `${"QUFB".repeat(19)}\n`.repeat(400)])
    expect(await cpuMs(() => new Redactor([], {}).text(flood, "peer"))).toBeLessThan(LIMIT_MS * 2);
});

verifies("security.s17", "checks a schema with a recursive union in linear time", async () => {
  const node = {
    type: "object",
    properties: { next: { $ref: "#" } },
    required: ["next"],
    additionalProperties: false,
  };
  const recursive = jsonSchema({
    anyOf: [node, { type: "object", properties: {}, additionalProperties: false }],
  });
  let deep = "{}";
  for (let each = 0; each < 200; each++) deep = `{"next":${deep}}`;
  const spent = await cpuMs(async () => {
    await recursive["~standard"].validate(JSON.parse(deep));
    await recursive["~standard"].validate(JSON.parse(deep.replace("{}", '{"x":1}')));
  });
  expect(spent).toBeLessThan(5_000);
});
