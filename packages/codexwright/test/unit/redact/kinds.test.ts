import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { Redactor } from "../../../src/redact/redactor.ts";
import {
  GITLEAKS_COMMIT,
  GITLEAKS_OTHERS,
  GITLEAKS_RULES,
} from "../../../src/redact/rules/gitleaks-rules.gen.ts";
import { KINDS } from "../../../src/redact/rules/kinds.ts";
import { byHand } from "./by-hand.ts";
import { ENCODINGS, holdsSecret, keptIn, keptOfDeltas, PLACES } from "./places.ts";
import { samplesOf, type Sample } from "./samples.ts";

/** The fraction of all kinds that may leak in one place and one encoding. */
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

/** Each combination of a place and an encoding gets every sixth kind. Each kind occurs twice in every encoding. */
const TURNS = 6;

function ofTurn(samples: readonly Sample[], turn: number): Sample[] {
  return samples.filter((_, index) => index % TURNS === turn % TURNS);
}

async function keptAt(place: string, texts: readonly string[]): Promise<string[]> {
  return place.endsWith("deltas")
    ? keptOfDeltas(texts, place === "base64 deltas", SEED)
    : keptIn(place, texts);
}

for (const [row, [name, encode]] of Object.entries(ENCODINGS).entries()) {
  verifies(
    "security.s52",
    `at most 5 % of the kinds of secrets, encoded as ${name}, leak in any place`,
    async () => {
      const table = samplesOf(SEED + row);
      const hand = byHand(SEED + row);
      const left: string[] = [];
      let tried = 0;
      for (const [column, place] of [...Object.keys(PLACES), "deltas", "base64 deltas"].entries()) {
        const written = ofTurn(hand, row + column);
        const samples = [...ofTurn(table, row + column), ...written];
        const kept = await keptAt(
          place,
          samples.map(({ text }) => encode(text)),
        );
        check(place, samples, kept);
        left.push(...leaking(written, kept.slice(-written.length)).map((kind) => `${place}: ${kind}`));
        tried += written.length;
      }
      // The hand-written kinds are not from the table.
      expect(tried).toBeGreaterThanOrEqual(2 * hand.length);
      expect(left.length > tried * MOST ? left : []).toEqual([]);
    },
    SLOW,
  );
}

verifies("security.s52", "every gitleaks rule has a shape", () => {
  const kinds = new Set(KINDS.map(({ kind }) => kind));
  expect(GITLEAKS_RULES.map(({ id }) => id).filter((id) => !kinds.has(id))).toEqual([]);
  expect(GITLEAKS_RULES.length + GITLEAKS_OTHERS.length).toBe(222);
  expect(GITLEAKS_COMMIT).toMatch(/^[0-9a-f]{40}$/);
  // Our own shapes replace the rules that take too long.
  const others: Record<string, string> = {
    "curl-auth-header": 'curl -H "Authorization: Bearer abcdefgh12345678" https://example.test',
    "curl-auth-user": "curl -u 'me:hunter2Xyz' https://example.test",
    "hashicorp-tf-password": 'administrator_login_password = "abcdefgh12345678"',
    "kubernetes-secret-yaml": "kind: Secret\nmetadata:\n  name: x\ndata:\n  p: aHVudGVyMlh5emFiYzEy\n",
    "nuget-config-password": '<add key="ClearTextPassword" value="hunter2Xyz" />',
    "private-key": `-----BEGIN PRIVATE KEY-----\n${"Ab1+".repeat(16)}\n-----END PRIVATE KEY-----`,
  };
  // The rule `pkcs12-file` matches the name of a binary file, so there is no text to redact.
  expect(Object.keys(others).toSorted()).toEqual(
    GITLEAKS_OTHERS.filter((id) => id !== "pkcs12-file").toSorted(),
  );
  for (const [id, text] of Object.entries(others))
    expect(`${id}: ${new Redactor([], {}).text(text, "peer")}`).toContain("[redacted:1]");
});

verifies("security.s52", "finds a value by its member name in arguments that are objects", () => {
  // A vendor name marks the value as a key.
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

verifies("security.s52", "without redaction, every kind would be found in every encoding", () => {
  const samples = [...samplesOf(SEED), ...byHand(SEED)];
  expect(samples.length).toBeGreaterThan(240 + 150);
  for (const [, encode] of Object.entries(ENCODINGS))
    expect(
      samples.filter((sample) => !holdsSecret(encode(sample.text), sample)).map(({ kind }) => kind),
    ).toEqual([]);
});
