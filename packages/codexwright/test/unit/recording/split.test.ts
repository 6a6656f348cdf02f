import fc from "fast-check";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { SecretStore } from "../../../src/redact/secret-store.ts";
import { DeltaWindow, deltaOf } from "../../../src/recording/delta-window.ts";
import { jwt, leaks } from "./secrets.ts";
import { bodies, taped } from "./wire.ts";

const SECRETS = ["open sesame 42", "sk-proj-Abc123Def456Ghi789", jwt({ sub: "somebody" })];
const METHOD = "item/agentMessage/delta";

/** Splits a text at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const bounds = [0, ...places.map((place) => place % text.length).toSorted((a, b) => a - b), text.length];
  return bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
}

interface Delta {
  readonly params: { readonly delta?: string; readonly deltaBase64?: string };
}

verifies(
  "recording.secrets",
  "finds a secret that is split over deltas, wherever it is split",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...SECRETS, "some ", "text sk", "e", "S", " Bearer", "\n", "öpen "), {
          maxLength: 8,
        }),
        fc.array(fc.nat(500), { maxLength: 30 }),
        fc.boolean(),
        async (parts, places, base64) => {
          const text = ["begin ", ...parts.flatMap((part) => [part, " "]), "end"].join("");
          const { transport, wire, lines } = await taped({ secrets: ["open sesame 42"] });
          const deltas = cut(text, places);
          for (const [index, delta] of deltas.entries()) {
            const place = { threadId: "t", itemId: "i" };
            wire.say(
              base64
                ? {
                    method: "command/exec/outputDelta",
                    params: { ...place, deltaBase64: Buffer.from(delta).toString("base64") },
                  }
                : { method: METHOD, params: { ...place, delta } },
            );
            // Other messages keep their place between the deltas.
            if (index % 3 === 0) wire.say({ method: "tick", params: { index } });
          }
          await transport.flush();
          const said = bodies(lines) as (Delta & { method: string })[];
          const methods = deltas.flatMap((_, index) => [
            base64 ? "command/exec/outputDelta" : METHOD,
            ...(index % 3 === 0 ? ["tick"] : []),
          ]);
          expect(said.map(({ method }) => method)).toEqual(methods);
          const whole = said
            .map(({ params }) => params.delta ?? Buffer.from(params.deltaBase64 ?? "", "base64").toString())
            .join("");
          expect(leaks(whole, SECRETS)).toEqual([]);
          expect(leaks(lines.map((line) => JSON.stringify(line)).join("\n"), SECRETS)).toEqual([]);
          if (!base64) {
            const expected = parts.filter((part) => SECRETS.includes(part)).length;
            expect(whole.split("[redacted:").length - 1).toBe(expected);
          }
        },
      ),
      { seed: 20_261_115, numRuns: 400 },
    );
  },
  { timeoutMs: 60_000 },
);

verifies(
  "recording.secrets",
  "passes deltas without secrets unchanged and holds nothing back at the end",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("s", "sk", "sk-", "e", "ey", "open", "open sesame", "A", "Bearer ", "x"), {
          maxLength: 20,
        }),
        async (deltas) => {
          fc.pre(!/sk-.{12}|eyJ|Bearer .{8}/.test(deltas.join("")));
          const { wire, lines } = await taped({ secrets: ["open sesame 42"] });
          for (const delta of deltas) wire.say({ method: METHOD, params: { itemId: "i", delta } });
          wire.say({ method: "item/completed", params: { item: { id: "i" } } });
          const texts = bodies(lines).map((message) => (message as Delta).params.delta);
          expect(texts).toEqual([...deltas, undefined]);
        },
      ),
      { seed: 20_261_116, numRuns: 300 },
    );
  },
  { timeoutMs: 60_000 },
);

verifies(
  "security.s52",
  "finds a private key of any length that arrives letter by letter",
  async () => {
    const body = Array.from({ length: 90 }, (_, line) => `${line}Ab3/`.repeat(20).slice(0, 64));
    const block = `-----BEGIN RSA PRIVATE KEY-----\n${body.join("\n")}\n-----END RSA PRIVATE KEY-----`;
    for (const size of [1, 3, 64, 65, 1_000]) {
      const { transport, wire, lines } = await taped();
      const text = `before\n${block}\nafter\n`;
      for (let at = 0; at < text.length; at += size)
        wire.say({ method: METHOD, params: { itemId: "i", delta: text.slice(at, at + size) } });
      wire.say({ method: "item/completed", params: { item: { id: "i" } } });
      await transport.flush();
      const whole = (bodies(lines) as Delta[]).map(({ params }) => params.delta ?? "").join("");
      expect(body.filter((line) => whole.includes(line.slice(8, 40)))).toEqual([]);
      expect(whole).toContain("before\n");
      expect(whole).toContain("after\n");
    }
  },
  { timeoutMs: 60_000 },
);

verifies("security.s17", "does not search base64 lines again for each delta", () => {
  const cost = (count: number): number => {
    const counter = { characters: 0 };
    const store = new SecretStore([]);
    const find = store.find.bind(store);
    store.find = (text) => {
      counter.characters += text.length;
      return find(text);
    };
    const window = new DeltaWindow(store, () => {});
    for (let line = 0; line < count; line++) {
      const delta = `${"QUFBQUFBQUFBQUFB".repeat(4)}${line % 10}AAA\n`;
      const message = { method: METHOD, params: { itemId: "i", delta: "" } };
      const entry = { connection: 1, ms: 0, direction: "in", message } as const;
      window.push(entry, deltaOf(1, { ...message, params: { itemId: "i", delta } }), 1);
    }
    window.flush();
    return counter.characters;
  };
  const [small, large] = [cost(500), cost(4_000)];
  expect(large / small).toBeLessThan(8 * 2);
  expect(large).toBeLessThan(4_000 * 69 * 8);
});
