import { expect } from "vitest";
import { verifies } from "../../../../../test/support/verifies.ts";
import { Redactor } from "../../../src/redact/redactor.ts";
import {
  GITLEAKS_COMMIT,
  GITLEAKS_OTHERS,
  GITLEAKS_RULES,
} from "../../../src/redact/rules/gitleaks-rules.gen.ts";
import { KINDS } from "../../../src/redact/rules/kinds.ts";
import { ENCODINGS, holdsSecret, keptIn, keptOfDeltas, PLACES } from "./places.ts";
import { samplesOf, type Sample } from "./samples.ts";

/** The part of all kinds that may leak in one place and one encoding. */
const MOST = 0.05;
const SEED = 20_261_118;
const SLOW = { timeoutMs: 120_000 };

function leaking(samples: readonly Sample[], kept: readonly string[]): string[] {
  expect(kept).toHaveLength(samples.length);
  return samples.filter((sample, index) => holdsSecret(kept[index] ?? "", sample)).map(({ kind }) => kind);
}

function check(cell: string, samples: readonly Sample[], kept: readonly string[]): void {
  const kinds = leaking(samples, kept);
  expect(kinds.length > samples.length * MOST ? `${cell}: ${kinds.join(", ")}` : "few").toBe("few");
}

/** Every encoding is tried in these, and the most common ones everywhere. */
const COMMON = ["output of a command", "arguments of a tool", "name of a file", "prompt"];

for (const [name, encode] of Object.entries(ENCODINGS)) {
  verifies(
    "security.s52",
    `of all kinds of secrets, at most 5 % are left in any place as ${name}`,
    async () => {
      const everywhere = name === "plain" || name === "base64";
      for (const [index, place] of (everywhere ? Object.keys(PLACES) : COMMON).entries()) {
        const samples = samplesOf(SEED + index);
        const texts = samples.map(({ text }) => encode(text));
        check(place, samples, await keptIn(place, texts));
      }
      for (const base64 of everywhere ? [false, true] : [false]) {
        const samples = samplesOf(SEED - (base64 ? 1 : 2));
        const texts = samples.map(({ text }) => encode(text));
        check(base64 ? "base64 deltas" : "deltas", samples, await keptOfDeltas(texts, base64, SEED));
      }
    },
    SLOW,
  );
}

verifies("security.s52", "every rule of gitleaks has a shape", () => {
  const kinds = new Set(KINDS.map(({ kind }) => kind));
  expect(GITLEAKS_RULES.map(({ id }) => id).filter((id) => !kinds.has(id))).toEqual([]);
  expect(GITLEAKS_RULES.length + GITLEAKS_OTHERS.length).toBe(222);
  expect(GITLEAKS_COMMIT).toMatch(/^[0-9a-f]{40}$/);
  // The rules that take too long as they are: what they look for is found by shapes of our own.
  const others: Record<string, string> = {
    "curl-auth-header": 'curl -H "Authorization: Bearer abcdefgh12345678" https://example.test',
    "curl-auth-user": "curl -u 'me:hunter2Xyz' https://example.test",
    "hashicorp-tf-password": 'administrator_login_password = "abcdefgh12345678"',
    "kubernetes-secret-yaml": "kind: Secret\nmetadata:\n  name: x\ndata:\n  p: aHVudGVyMlh5emFiYzEy\n",
    "nuget-config-password": '<add key="ClearTextPassword" value="hunter2Xyz" />',
    "private-key": `-----BEGIN PRIVATE KEY-----\n${"Ab1+".repeat(16)}\n-----END PRIVATE KEY-----`,
  };
  // A file of keys has no text.
  expect(Object.keys(others).toSorted()).toEqual(
    GITLEAKS_OTHERS.filter((id) => id !== "pkcs12-file").toSorted(),
  );
  for (const [id, text] of Object.entries(others))
    expect(`${id}: ${new Redactor([], {}).text(text, "peer")}`).toContain("[redacted:1]");
});

verifies("security.s52", "a value is found by the name of its member, in arguments that are objects", () => {
  // The names of vendors say of a value that it is a key.
  const assigned = samplesOf(SEED).flatMap(({ text, secret }) => {
    const [, name] =
      /^([\w.-]{3,40})["' ]{0,3}[=:]["' =]{0,3}$/.exec(text.slice(0, text.indexOf(secret))) ?? [];
    return name === undefined || !/^[\w.=-]{14,}$/.test(secret) ? [] : [{ name, secret }];
  });
  expect(assigned.length).toBeGreaterThan(20);
  const left = assigned.filter(({ name, secret }) => {
    const kept = new Redactor([], {}).json({ arguments: { list: [{ [name]: secret }] } }, "peer");
    return JSON.stringify(kept).includes(secret);
  });
  expect(left.length).toBeLessThanOrEqual(assigned.length * MOST);
});

verifies("security.s52", "without redaction every kind would be there in every encoding", () => {
  const samples = samplesOf(SEED);
  expect(samples.length).toBeGreaterThan(240);
  for (const [, encode] of Object.entries(ENCODINGS))
    expect(
      samples.filter((sample) => !holdsSecret(encode(sample.text), sample)).map(({ kind }) => kind),
    ).toEqual([]);
});
